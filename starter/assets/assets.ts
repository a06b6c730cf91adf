import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** A file used by pages. Its name contains a digest of its content, so browsers may cache it forever. */
export interface Asset {
  /** Name in the URL, such as `style-3f9a1c0b2d4e.css`. */
  readonly file: string
  /** Value of `Content-Type`. */
  readonly type: string
  /** The content. */
  readonly content: string
}

/** The files used by pages, read once at startup. */
export class Assets {
  /** The style sheet. */
  readonly style: Asset = read('style.css')
  /** The favicon. */
  readonly icon: Asset = read('icon.svg')
  /** The only script: it prevents submitting a form twice. */
  readonly once: Asset = read('once.js')

  /**
   * @param file Name from a URL.
   * @returns The asset with that name and content; undefined when there is none.
   */
  find(file: string): Asset | undefined {
    return [this.style, this.icon, this.once].find((asset) => asset.file === file)
  }
}

function read(name: string): Asset {
  const content = readFileSync(new URL(name, import.meta.url), 'utf8')
  const extension = extname(name)
  const type = TYPES[extension]
  if (type === undefined) throw new TypeError(`Cannot serve "${name}": its type is unknown`)
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return { file: `${name.slice(0, -extension.length)}-${digest}${extension}`, type, content }
}
