import { createHash } from 'node:crypto'
import type { HttpContext } from '../context/index.ts'
import { SystemClock } from '../core/index.ts'
import { assertOptions, shown } from '../core/internal.ts'
import type { Payload } from '../http/internal.ts'
import type { StoredFile } from '../input/index.ts'
import { respondConditionally, type Sending } from './conditional-response.ts'
import { safeContent } from './content-safety.ts'
import { streamStored } from './stored-stream.ts'

/** Options of {@link sendFile}. */
export interface SendFileOptions {
  /** Name under which the browser saves the file, without showing it. Default: it shows what it can show safely. */
  readonly download?: string
  /** Name of a file that is shown, for the user who saves it then. Default: none; browsers take the end of the URL. */
  readonly name?: string
  /** Value of `Cache-Control`. Default: `private, no-cache`, so that browsers ask each time and get a 304. */
  readonly caching?: string
}

const REVALIDATED = 'private, no-cache'
const TAG_LENGTH = 32
const clock = new SystemClock()

/**
 * Answers with a stored file: with validators, 304, ranges and HEAD. Pictures, audio, video, PDF and plain text are shown.
 * Anything else is saved, as `application/octet-stream`: an HTML page or an SVG that a user uploaded never runs on the origin
 * of the site.
 *
 * @param context Context of the request.
 * @param file The file, as `storage.find(key)` gives it.
 * @param options Name, and whether it is saved.
 * @returns The response.
 * @throws {HttpException} Rejects if a precondition of the request fails (412), or no asked part exists (416).
 * @throws {TypeError} Rejects if an option is unknown or not a string.
 * @see RFC 9110 sections 13 and 14; RFC 6266.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { sendFile } from 'sallyport/files'
 * import type { StoredFile } from 'sallyport/input'
 * import { TestClient } from 'sallyport/testing'
 *
 * const song: StoredFile = {
 *   type: 'audio/mpeg',
 *   size: 10,
 *   tag: 'version 1',
 *   stream: () => new Blob(['0123456789']).stream(),
 * }
 * class SongController extends Controller {
 *   static readonly actions = { index: [] }
 *   index() {
 *     return sendFile(this.context, song, { name: 'Für Elise.mp3' })
 *   }
 * }
 * const client = new TestClient(
 *   App.create().modules(defineModule('Site', (module) => module.controllers(SongController))),
 * )
 *
 * const part = await client.get('/site/song', { headers: { range: 'bytes=2-4' } })
 * assert.deepEqual([part.status, await part.text()], [206, '234'])
 * assert.match(part.headers.get('content-disposition') ?? '', /^inline; .*filename\*=UTF-8''F%C3%BCr%20Elise\.mp3$/)
 * ```
 */
export async function sendFile(
  context: HttpContext,
  file: StoredFile,
  options: SendFileOptions = {},
): Promise<Response> {
  assertOptions(options, ['download', 'name', 'caching'], 'sendFile()')
  const { download, name, caching = REVALIDATED } = options
  for (const [option, given] of Object.entries({ download, name, caching }))
    if (given !== undefined && typeof given !== 'string')
      throw new TypeError(`Cannot use ${shown(given)} as "${option}" of sendFile(): pass a string`)
  const { type, lines } = safeContent(file.type, { download, name })
  const method = context.method()
  const isRead = method === 'GET' || method === 'HEAD'
  const representation = {
    size: file.size,
    type,
    validators: { etag: etagOf(file), modified: file.modified?.toUTCString() ?? null },
    lines: [],
    contentLines: lines,
    body: async (sending: Sending): Promise<Payload> => bodyOf(file, sending),
  }
  const response = await respondConditionally(representation, {
    method,
    // Conditions and ranges are about what a URL stands for, not about what a POST has done.
    header: (header) => (isRead ? context.header(header) : null),
    caching,
    now: clock.milliseconds(),
  })
  if (response === undefined) throw new Error('Cannot send the file: it has no content')
  return response
}

// A digest, because the key of a file may be a secret that only its owner knows.
function etagOf({ tag }: StoredFile): string | null {
  if (tag === undefined) return null
  return `"${createHash('sha256').update(tag).digest('hex').slice(0, TAG_LENGTH)}"`
}

function bodyOf(file: StoredFile, { pieces, isHead }: Sending): Payload {
  if (isHead) return null
  return pieces.length === 0 ? new Uint8Array(0) : streamStored(file, pieces)
}
