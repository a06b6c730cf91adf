import { inject } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import { type Actions, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { asStories, type ExportFormat, type OwnEvent, OwnEvents } from 'sallyport-app/audit'
import { parseDevice } from 'sallyport-app/clients'
import { AuditEvent, SIGN_IN } from '../../core/audit/audit-trail.ts'
import { deviceMessage } from '../../core/clients/client-messages.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import type { Moment, PageMessage } from 'sallyport-app/pages'
import { TIMES } from '../../core/messages/language.ts'

/** How many entries one page has. */
export const ACTIVITY_LINES = 50

/** Where a page begins. */
interface Position {
  readonly before?: number | undefined
}

// Anything but a number is the first page.
const positionSchema: z.ZodType<Position> = z.object({
  before: z.coerce.number().int().positive().optional().catch(undefined),
})

/** What happened on the account of the user, in words, and as files. */
export class ActivityController extends PageController {
  static readonly actions: Actions<ActivityController> = {
    index: [input(positionSchema)],
    csvFile: [],
    jsonFile: [],
  }

  readonly #events = inject(OwnEvents)
  readonly #translator = inject(Translator)

  /**
   * @param query `before`: where the page begins.
   * @returns One page of the activity, newest first.
   */
  async index(query: Position): Promise<View> {
    const page = { limit: ACTIVITY_LINES, before: query.before }
    const { events, next } = await this.#events.page(this.account().id, page)
    const locale = this.context.locale()
    return this.page('activity::activity', {
      title: 'activity.title',
      page: 'activity',
      events: asStories(events, SIGN_IN).map((record) => toLine(record, locale)),
      isFirst: query.before === undefined,
      before: next,
    })
  }

  /** @returns The whole activity as CSV. */
  csvFile(): Response {
    return this.#file('csv')
  }

  /** @returns The whole activity as JSON. */
  jsonFile(): Response {
    return this.#file('json')
  }

  #file(format: ExportFormat): Response {
    // Asked before the response begins.
    const locale = this.context.locale()
    const describe = (kind: string): string =>
      this.#translator.translate(locale, { id: `event.${kind}`, fallback: kind })
    return this.#events.file(this.account().id, { format, name: 'activity', describe })
  }
}

// What these were done with is the kind of a factor.
const BY_FACTOR: readonly string[] = [
  AuditEvent.LoggedIn,
  AuditEvent.StepUpConfirmed,
  AuditEvent.CodeRefused,
  AuditEvent.CodeLocked,
]

/** A line of the page. */
interface ActivityLine {
  readonly what: PageMessage
  readonly detail: string
  /** With which factor it was done; undefined where it was with none, or that is not recorded. */
  readonly factor: PageMessage | undefined
  readonly device: PageMessage | undefined
  readonly from: PageMessage
  readonly time: Moment
}

function toLine(record: OwnEvent, locale: string): ActivityLine {
  const { kind, detail, device, clientAddress: address, byAdministration, at } = record
  const isByFactor = detail !== null && BY_FACTOR.includes(kind)
  return {
    what: { id: `event.${kind}` },
    detail: isByFactor ? '' : (detail ?? ''),
    factor: isByFactor ? { id: `sessions.proven.${detail}` } : undefined,
    device: device === '' || byAdministration ? undefined : deviceMessage(parseDevice(device)),
    from: byAdministration ? { id: 'events.by-administration' } : toAddress(address),
    time: TIMES.moment(at, locale),
  }
}

function toAddress(address: string): PageMessage {
  return address === ''
    ? { id: 'events.unknown-client' }
    : { id: 'events.clients', values: { address, others: 0 } }
}
