import { inject } from 'sallyport'
import { blankForm, type ShownForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { TRAIL_KEPT_DAYS } from 'sallyport-app/audit'
import { clientOf } from 'sallyport-app/clients'
import { GivenUpMails } from 'sallyport-app/mail'
import { AuditEvent, AuditTrail } from '../../core/audit/audit-trail.ts'
import { OPS_NAME } from './ops-credentials.ts'
import { ProgramStatus } from './program-status.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { toMoment } from '../../core/pages/presentation.ts'

const DEFAULT_DAYS = 400
const MAX_DAYS = 36_500

/** How old the entries are that go. */
interface Trim {
  /** In days. */
  readonly age: number
}

const trimSchema: z.ZodType<Trim> = z.object({
  age: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.number().min(TRAIL_KEPT_DAYS).max(MAX_DAYS)),
})

/** How the program is doing, and the end of old entries of the audit trail. */
export class StatusController extends PageController {
  static readonly actions: Actions<StatusController> = { index: [], trimPost: [form(trimSchema)] }

  readonly #status = inject(ProgramStatus)
  readonly #audit = inject(AuditTrail)
  readonly #mails = inject(GivenUpMails)

  /** @returns The page. */
  index(): Promise<View> {
    return this.#statusPage(blankForm({ age: String(DEFAULT_DAYS) }))
  }

  /** Deletes old entries of the audit trail, and records that. */
  async trimPost(form: Submitted<Trim>): Promise<View | Response> {
    if (!form.ok) return this.#statusPage(form, 422)
    const { age: days } = form.value
    const count = await this.#audit.trim(days)
    await this.#audit.record({
      kind: AuditEvent.TrailTrimmed,
      accountId: null,
      ...clientOf(this.context),
      actor: OPS_NAME,
      detail: `${count} entries over ${days} days`,
    })
    return this.redirectSaying(this.context.url('ops:status'), 'ops.trimmed')
  }

  async #statusPage(form: ShownForm, status = 200): Promise<View> {
    const facts = await this.#status.read()
    const locale = this.context.locale()
    const mails = await this.#mails.status()
    const list = await this.#mails.list()
    const givenUp = list.map(({ kind, failure, givenUpAt }) => ({
      kind,
      failure,
      at: toMoment(givenUpAt, locale),
    }))
    const times = {
      started: toMoment(facts.startedAt, locale),
      oldest: toMoment(facts.oldest, locale),
      waitingSince: toMoment(mails.oldest, locale),
    }
    const shown = { facts, mails, givenUp, ...times, node: process.version }
    return this.page('ops::status', { title: 'ops.title', ...shown }, { form, status })
  }
}
