/** Spans and metrics of an application, by OpenTelemetry. @module */
export { instrument } from './instrument.ts'
export type { TelemetryApi } from './telemetry-api.ts'
