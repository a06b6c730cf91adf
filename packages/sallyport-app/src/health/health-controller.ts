import { Controller, inject } from 'sallyport'
import { prefersJson } from 'sallyport/http'
import type { Actions } from 'sallyport/routing'
import { Readiness } from './readiness.ts'

/** Answers programs that watch this process: whether it lives, and whether it should get requests. It reads no session. */
export class HealthController extends Controller {
  static readonly actions: Actions<HealthController> = { alive: [], ready: [] }

  readonly #readiness = inject(Readiness)

  alive(): Response {
    return this.#answer([])
  }

  /** @returns A 503 that names what is missing, without details. */
  async ready(): Promise<Response> {
    return this.#answer(await this.#readiness.missing())
  }

  #answer(missing: readonly string[]): Response {
    const isWell = missing.length === 0
    const status = isWell ? 200 : 503
    const answer = prefersJson(this.context.header('accept'))
      ? this.json({ status: isWell ? 'ok' : 'unavailable', missing }, status)
      : this.text(isWell ? 'ok\n' : `unavailable: ${missing.join(', ')}\n`, status)
    // It is true at this moment only.
    answer.headers.set('cache-control', 'no-store')
    return answer
  }
}
