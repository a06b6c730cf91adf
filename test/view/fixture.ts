import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { pathToFileURL } from 'node:url'

import { EdgeViewEngine } from 'sallyport/view/edge'

/** A folder of templates, removed after the tests of the file. */
export class Templates {
  readonly #root = mkdtempSync(join(tmpdir(), 'sallyport-views-'))

  constructor(files: Readonly<Record<string, string>>) {
    for (const [name, text] of Object.entries(files)) this.write(name, text)
    after(() => rmSync(this.#root, { recursive: true }))
  }

  get directory(): URL {
    return pathToFileURL(`${this.#root}/`)
  }

  path(name: string): string {
    return join(this.#root, `${name}.edge`)
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  remove(name: string): void {
    rmSync(this.path(name))
  }

  engine(options: { readonly cache?: boolean } = {}): EdgeViewEngine {
    return new EdgeViewEngine({ directory: this.directory, ...options })
  }
}

/** The page in one line. */
export function inOneLine(page: string): string {
  return page.replaceAll(/\s+/g, ' ').trim()
}
