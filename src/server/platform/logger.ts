import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * JSON lines on standard output. Requests are logged field by field and never whole, so the redaction below is the
 * second lock, for whoever logs a request or its headers by mistake.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
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
