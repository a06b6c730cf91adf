/** The RealWorld example as somebody runs it who has copied it and installed the package. @module */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { installPackage, packPackage } from '../cli/packed-package.ts'

const EXAMPLE = fileURLToPath(new URL('../../examples/realworld/', import.meta.url))

/** The example in a folder of its own, with the packed package. */
export class RealWorld {
  /** The application: a copy of the example, with its packages. */
  readonly folder: string
  readonly #temporary: string
  #server: ChildProcess | undefined

  constructor() {
    this.#temporary = mkdtempSync(join(tmpdir(), 'sallyport-realworld-'))
    this.folder = join(this.#temporary, 'application')
    const filter = (path: string): boolean => !/[/\\](?:node_modules|\.data)(?:[/\\]|$)/.test(path)
    cpSync(EXAMPLE, this.folder, { recursive: true, filter })
    const manifest = JSON.parse(readFileSync(join(this.folder, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>
    }
    const others = Object.keys(manifest.dependencies).filter((name) => name !== 'sallyport')
    installPackage(packPackage(this.#temporary), this.folder, others)
  }

  /**
   * Starts the program with an empty database.
   *
   * @returns Where it listens.
   * @throws {Error} If it ends before it listens.
   */
  start(): Promise<string> {
    const env = { PATH: process.env['PATH'] ?? '', PORT: '0', NODE_ENV: 'production' }
    const server = spawn(process.execPath, ['main.ts'], { cwd: this.folder, env, stdio: 'pipe' })
    this.#server = server
    return new Promise((resolve, reject) => {
      let output = ''
      const read = (text: string): void => {
        output += text
        const url = /Listening on (http:\S+)/.exec(output)?.[1]
        if (url !== undefined) resolve(url)
      }
      server.stdout.setEncoding('utf8').on('data', read)
      server.stderr.setEncoding('utf8').on('data', read)
      server.once('exit', () => reject(new Error(`The example ended: ${output}`)))
    })
  }

  /** Ends the program and removes all files. */
  async stop(): Promise<void> {
    const server = this.#server
    if (server !== undefined && server.exitCode === null) {
      await new Promise((resolve) => {
        server.once('exit', resolve)
        server.kill('SIGTERM')
      })
    }
    rmSync(this.#temporary, { recursive: true, force: true })
  }
}
