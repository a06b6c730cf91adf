import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ObservableCallback } from '@opentelemetry/api'
import type { App } from '../app/index.ts'
import { PasswordHasher } from '../auth/index.ts'
import type { SecurityEvents } from '../core/index.ts'
import { SCOPE } from './scope.ts'
import type { TelemetryApi } from './telemetry-api.ts'

// A table, so that an event of the framework that is not counted does not compile.
const EVENTS: Readonly<Record<keyof SecurityEvents, true>> = {
  login: true,
  logout: true,
  'sessions-ended': true,
  rotated: true,
  refused: true,
  throttled: true,
  'undeclared-hash': true,
  'store-failed': true,
  'session-malformed': true,
}

/**
 * Counts the security events of the process.
 *
 * @param api The package.
 * @returns Ends it.
 */
export function countSecurityEvents(api: TelemetryApi): () => void {
  const counter = api.metrics.getMeter(SCOPE).createCounter('sallyport.security.events', {
    description: 'Security events, such as logins and refusals.',
    unit: '{event}',
  })
  const listeners = Object.keys(EVENTS).map((event) => {
    const listen = (message: unknown): void =>
      counter.add(1, { 'sallyport.event': event, ...codeOf(message) })
    subscribe(`sallyport:${event}`, listen)
    return [`sallyport:${event}`, listen] as const
  })
  return () => {
    for (const [name, listen] of listeners) unsubscribe(name, listen)
  }
}

// Codes are constants of exceptions.
function codeOf(message: unknown): { readonly 'sallyport.code'?: string } {
  const { code } = Object(message) as { readonly code?: unknown }
  return typeof code === 'string' ? { 'sallyport.code': code } : {}
}

/**
 * Observes how many password hashes are computed and how many wait. Nothing is created for it: before the first request
 * there are none.
 *
 * @param api The package.
 * @param app The application whose hasher it is.
 * @returns Ends it.
 */
export function observeHashQueue(api: TelemetryApi, app: App): () => void {
  const gauge = api.metrics.getMeter(SCOPE).createObservableGauge('sallyport.password_hashes', {
    description: 'Password hashes that are computed, and that wait for their turn.',
    unit: '{hash}',
  })
  let isServing = false
  app.onResponse(() => {
    isServing = true
  })
  const observe: ObservableCallback = (result) => {
    if (!isServing) return
    // A hasher of the application's own need not have a queue.
    const hasher: Partial<PasswordHasher> = app.get(PasswordHasher)
    const { running, waiting } = hasher.load?.() ?? { running: 0, waiting: 0 }
    result.observe(running, { 'sallyport.state': 'running' })
    result.observe(waiting, { 'sallyport.state': 'waiting' })
  }
  gauge.addCallback(observe)
  return () => gauge.removeCallback(observe)
}
