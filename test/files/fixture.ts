import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { pathToFileURL } from 'node:url'
import { App } from 'sallyport'
import { StaticFiles } from 'sallyport/files'
import { TestClient } from 'sallyport/testing'

/** A folder that is gone when the tests of the file have ended. */
export interface TemporaryFolder {
  /** Its path. */
  readonly path: string
  /** The same as a URL, with a slash at its end. */
  readonly url: URL
  /** Writes a file, and the folders above it. */
  readonly write: (name: string, content: string | Uint8Array) => void
  /** Writes a symbolic link. */
  readonly link: (name: string, target: string) => void
}

/**
 * Makes a folder.
 *
 * @param files Names and contents.
 */
export function temporaryFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'sallyport-files-'))
  after(() => rmSync(path, { recursive: true, force: true }))
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  for (const [name, content] of Object.entries(files)) write(name, content)
  return {
    path,
    url: pathToFileURL(`${path}/`),
    write,
    link: (name, to) => symlinkSync(to, join(path, name)),
  }
}

/**
 * Serves a folder at `/assets`.
 *
 * @param folder The folder.
 * @param options `fingerprint` of the module. Default: true.
 */
export function serveFolder(
  folder: TemporaryFolder,
  { fingerprint = true }: { readonly fingerprint?: boolean } = {},
): { readonly assets: StaticFiles; readonly app: App; readonly client: TestClient } {
  const assets = new StaticFiles({ directory: folder.url, at: '/assets', fingerprint })
  const app = App.create().modules(assets)
  return { assets, app, client: new TestClient(app) }
}
