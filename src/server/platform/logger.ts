import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * JSON lines on standard output. Log lines contain only selected fields of a request; the redaction below covers a request
 * or headers that are logged by mistake.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: plainError },
      redact: {
        paths: [
          'headers',
          '*.headers',
          'cookie',
          '*.cookie',
          'authorization',
          '*.authorization',
          'password',
          '*.password',
        ],
        censor: '[hidden]',
      },
    },
    destination ?? pino.destination(1),
  );
}

/** Limit for circular causes. */
const MAX_CAUSES = 4;

/**
 * Serializes an error for the log: type, code, message and stack. Other properties are omitted, because they may contain
 * database rows or mail recipients.
 */
function plainError(error: unknown, depth = 0): object | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message, stack, cause } = error;
  const code = 'code' in error && /^[\w.]{1,60}$/.test(String(error.code)) ? error.code : undefined;
  const causeEntry = depth < MAX_CAUSES ? plainError(cause, depth + 1) : undefined;
  return { type: name, code, message, stack, ...(causeEntry && { cause: causeEntry }) };
}
