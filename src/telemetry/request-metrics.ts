import type { Histogram } from '@opentelemetry/api'
import type { ResponseEvent } from '../app/index.ts'
import { attributesOf } from './request-attributes.ts'
import { SCOPE } from './scope.ts'
import type { TelemetryApi } from './telemetry-api.ts'

// Those of the conventions, in seconds.
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Measures how long responses take. */
export class RequestMetrics {
  readonly #durations: Histogram

  /**
   * @param api The package.
   */
  constructor(api: TelemetryApi) {
    this.#durations = api.metrics.getMeter(SCOPE).createHistogram('http.server.request.duration', {
      description: 'Duration of HTTP server requests.',
      unit: 's',
      advice: { explicitBucketBoundaries: BOUNDARIES },
    })
  }

  /**
   * @param event What became of a request.
   */
  record(event: ResponseEvent): void {
    this.#durations.record(event.milliseconds / 1000, attributesOf(event))
  }
}
