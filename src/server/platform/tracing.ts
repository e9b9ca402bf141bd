/**
 * Traces: the parts of a request and their durations. A child span belongs to the active span. Attributes are numbers and
 * fixed words, never user input.
 */

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface Times {
  from: number;
  to: number;
}

export interface Span {
  readonly traceparent: string | undefined;
  setAttributes(attributes: Attributes): void;
  /** Adds a finished child span. */
  addChild(name: string, times: Times): Span;
}

export interface OpenSpan extends Span {
  /** Runs `work` with this span active. */
  run(work: () => void): void;
  rename(name: string): void;
  end(failed: boolean): void;
}

export interface SpanOptions {
  /** W3C trace context of a remote parent. */
  parent?: string | undefined;
  attributes?: Attributes;
}

export interface Tracing {
  open(name: string, options?: SpanOptions): OpenSpan;
  span<T>(name: string, work: (span: Span) => Promise<T>, options?: SpanOptions): Promise<T>;
  readonly onStatement: ((sql: string, milliseconds: number) => void) | undefined;
  /** Flushes pending spans, with a timeout. */
  close(): Promise<void>;
}

const NO_SPAN: OpenSpan = {
  traceparent: undefined,
  setAttributes() {},
  addChild: () => NO_SPAN,
  run: (work) => work(),
  rename() {},
  end() {},
};

export const NO_TRACING: Tracing = {
  open: () => NO_SPAN,
  span: (_name, work) => work(NO_SPAN),
  onStatement: undefined,
  close: async () => {},
};

const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

export interface TraceContext {
  traceId: string;
  spanId: string;
  traceFlags: number;
}

/** Undefined if the header is malformed. */
export function readTraceparent(text: string | undefined): TraceContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

export function writeTraceparent({ traceId, spanId, traceFlags }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}
