import { Controller, inject } from 'sallyport'
import { type Actions, input } from 'sallyport/routing'
import { z } from 'zod'
import { OwnEvents } from 'sallyport-app/audit'
import { ApiClient } from './token-check.ts'
import { listResponse, pageLimit, toIso } from './paging.ts'

// Largest number of entries of one page.
const MAX_ACTIVITY = 100

/** Which part of the activity is asked for. */
interface Place {
  readonly limit: number
  readonly before?: number | undefined
}

const placeSchema: z.ZodType<Place> = z.object({
  limit: pageLimit(MAX_ACTIVITY),
  before: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number)
    .optional(),
})

/** The activity of one's own account. */
export class ActivityController extends Controller {
  static readonly actions: Actions<ActivityController> = { index: [input(placeSchema)] }

  readonly #events = inject(OwnEvents)

  /** @returns The entries, newest first, and the path of those before them; null at the end. */
  async index({ limit, before }: Place): Promise<Response> {
    const { account } = this.context.auth().principalAs(ApiClient)
    const { events, next } = await this.#events.page(account.id, { limit, before })
    return listResponse(this.context, {
      body: {
        events: events.map(({ id, kind, clientAddress, at }) => ({ id, kind, clientAddress, at: toIso(at) })),
      },
      route: 'api:activity',
      first: { limit },
      next: next === undefined ? null : { before: next },
    })
  }
}
