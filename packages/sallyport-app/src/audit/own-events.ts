import { inject } from 'sallyport'
import { Database } from '../database/index.ts'
import type { OwnEvent } from './audit-entry.ts'
import type { EventTables } from './event-table.ts'
import { EXPORTS, type ExportFormat } from './exported-events.ts'

// How many entries are read at once for a file.
const BATCH = 500

/** A page of entries, the newest first. */
export interface OwnEventPage {
  /** The entries. */
  readonly events: readonly OwnEvent[]
  /** What the page after this one is asked for with, as `before`; undefined for the last one. */
  readonly next: number | undefined
}

/** The whole trail of an account as a file. */
export interface OwnEventFile {
  /** `csv` (RFC 4180) or `json`. */
  readonly format: ExportFormat
  /** Name of the file, without its extension. */
  readonly name: string
  /**
   * Says in words what happened.
   *
   * @param kind Kind of an entry.
   * @returns The column `description`.
   */
  readonly describe: (kind: string) => string
}

/** The audit trail of one account, for its owner. It is read only: the database itself refuses to change an entry. */
export class OwnEvents {
  readonly #database = inject(Database<EventTables>)

  /**
   * Reads one page. It costs the same wherever it begins, and an entry that is added meanwhile moves no other one.
   *
   * @param accountId Account reference.
   * @param place At most how many entries, and `before`: those before this number. Default: the newest.
   * @returns The page.
   */
  async page(
    accountId: string,
    { limit, before }: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<OwnEventPage> {
    const rows = await this.#database
      .selectFrom('event')
      .select(['id', 'at', 'kind', 'client_address', 'device', 'detail', 'actor', 'challenge_id'])
      .where('account_id', '=', accountId)
      .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
      .orderBy('id', 'desc')
      // One more tells whether there are others.
      .limit(limit + 1)
      .execute()
    const events = rows
      .slice(0, limit)
      .map(({ client_address: clientAddress, challenge_id: challengeId, device, actor, ...row }) =>
        // Where administrators sit, and with what, is no business of the owner.
        actor === null
          ? { ...row, challengeId, clientAddress, device, byAdministration: false }
          : { ...row, challengeId, clientAddress: '', device: '', byAdministration: true },
      )
    return { events, next: rows.length > limit ? events.at(-1)?.id : undefined }
  }

  /**
   * Makes a file of all entries, which is read while it is sent.
   *
   * @param accountId Account reference.
   * @param file What it is like.
   * @returns The response with it, as a download.
   */
  file(accountId: string, { format, name, describe }: OwnEventFile): Response {
    const { type, write } = EXPORTS[format]
    const lines = write(this.#batches(accountId), describe)
    const headers = {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}.${format}"`,
    }
    return new Response(ReadableStream.from(lines).pipeThrough(new TextEncoderStream()), { headers })
  }

  async *#batches(accountId: string): AsyncGenerator<readonly OwnEvent[]> {
    let before: number | undefined
    do {
      const { events, next } = await this.page(accountId, { limit: BATCH, before })
      yield events
      before = next
    } while (before !== undefined)
  }
}
