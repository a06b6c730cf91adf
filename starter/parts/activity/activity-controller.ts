import { inject } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import { type Actions, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { asStories } from 'sallyport-app/audit'
import { parseDevice } from 'sallyport-app/clients'
import { AuditEvent, SIGN_IN } from '../../core/audit/audit-trail.ts'
import { type OwnEvent, OwnEvents } from '../../core/audit/own-events.ts'
import { deviceMessage } from '../../core/clients/client-messages.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import type { Moment, PageMessage } from 'sallyport-app/pages'
import { TIMES } from '../../core/messages/language.ts'
import { type ExportedRow, toCsv, toJson, toRow } from './activity-export.ts'

/** How many entries one page has. */
export const ACTIVITY_LINES = 50

// How many are read at once for a file.
const BATCH = 500

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
    // One more tells whether there are others.
    const place = { limit: ACTIVITY_LINES + 1, before: query.before }
    const records = await this.#events.read(this.account().id, place)
    const shown = records.slice(0, ACTIVITY_LINES)
    const locale = this.context.locale()
    return this.page('activity::activity', {
      title: 'activity.title',
      page: 'activity',
      events: asStories(shown, SIGN_IN).map((record) => toLine(record, locale)),
      isFirst: query.before === undefined,
      before: records.length > shown.length ? shown.at(-1)?.id : undefined,
    })
  }

  /** @returns The whole activity as CSV. */
  csvFile(): Response {
    return fileOf(toCsv(this.#rows()), {
      type: 'text/csv; charset=utf-8; header=present',
      extension: 'csv',
    })
  }

  /** @returns The whole activity as JSON. */
  jsonFile(): Response {
    return fileOf(toJson(this.#rows()), { type: 'application/json', extension: 'json' })
  }

  // What the request says is asked before the response begins.
  #rows(): AsyncGenerator<readonly ExportedRow[]> {
    return this.#rowsOf(this.account().id, this.context.locale())
  }

  async *#rowsOf(accountId: string, locale: string): AsyncGenerator<readonly ExportedRow[]> {
    const describe = ({ kind }: OwnEvent): string =>
      this.#translator.translate(locale, { id: `event.${kind}`, fallback: kind })
    for (let before: number | undefined; ;) {
      const records = await this.#events.read(accountId, { limit: BATCH, before })
      if (records.length > 0) yield records.map((record) => toRow(record, describe))
      before = records.at(-1)?.id
      if (records.length < BATCH) return
    }
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

function fileOf(
  lines: AsyncIterable<string>,
  { type, extension }: { readonly type: string; readonly extension: string },
): Response {
  const body = ReadableStream.from(lines).pipeThrough(new TextEncoderStream())
  const headers = {
    'content-type': type,
    'content-disposition': `attachment; filename="activity.${extension}"`,
  }
  return new Response(body, { headers })
}
