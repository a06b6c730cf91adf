import type * as api from '@opentelemetry/api'

/** What is used of `@opentelemetry/api`. The application passes it, so that its spans and ours meet in one copy. */
export type TelemetryApi = Pick<
  typeof api,
  'trace' | 'metrics' | 'context' | 'propagation' | 'SpanKind' | 'SpanStatusCode'
>
