import { create } from 'content-disposition'
import { labelOf } from '../input/internal.ts'

// What browsers show without running any of it. A plus is refused, because a type that ends with "+xml" is a document.
const SHOWN = /^(?:(?:audio|video)\/[a-z0-9.-]+|application\/pdf|text\/plain)$/
const PICTURES: ReadonlySet<string> = new Set(
  [
    'png',
    'jpeg',
    'gif',
    'webp',
    'avif',
    'apng',
    'bmp',
    'heic',
    'heif',
    'jxl',
    'tiff',
    'x-icon',
    'vnd.microsoft.icon',
  ].map((name) => `image/${name}`),
)
const INERT = 'application/octet-stream'
// Should a browser show it all the same, as one does that opens what it saved: no scripts, no origin, no resources.
const SANDBOX = "sandbox; default-src 'none'"

/** How the content of a stored file is sent. */
export interface SafeContent {
  /** Value of `Content-Type`. */
  readonly type: string
  /** Alternating names and values of further headers. */
  readonly lines: readonly string[]
}

/** Under which name a file is saved. */
export interface FileNames {
  /** The name of a file that the browser is to save. */
  readonly download?: string | undefined
  /** The name of a file that the browser may show. */
  readonly name?: string | undefined
}

/**
 * Decides how a file that came from a client is sent, so that it never runs on the origin of the site: pictures, audio, video,
 * PDF and plain text may be shown; anything else is saved, as bytes of no type.
 *
 * @param type Media type of the file.
 * @param names Its name, and whether it is to be saved.
 * @returns Type and headers.
 * @see RFC 6266 and RFC 8187 for names.
 */
export function safeContent(type: string, { download, name }: FileNames): SafeContent {
  const plain = type.toLowerCase().split(';', 1)[0]?.trim() ?? ''
  const isShown = PICTURES.has(plain) || SHOWN.test(plain)
  const disposition = download !== undefined || !isShown ? 'attachment' : 'inline'
  const lines = ['content-disposition', dispositionOf(disposition, download ?? name)]
  if (!isShown) return { type: INERT, lines: [...lines, 'content-security-policy', SANDBOX] }
  // Text was checked to be UTF-8 when it was taken.
  return { type: plain === 'text/plain' ? 'text/plain; charset=utf-8' : plain, lines }
}

function dispositionOf(type: string, name: string | undefined): string {
  const label = labelOf(name ?? '')
  return label === '' ? type : create(label, { type })
}
