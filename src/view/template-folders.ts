import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nearest } from '../core/internal.ts'

const EXTENSION = '.edge'
// A name consists of such parts, separated by slashes.
const PART = /^(?!\.{1,2}$)[^\p{Cc}\\/:]+$/u

/** A name that is not the name of a template. */
export class NoTemplate extends Error {
  /** Where the template was looked for: a file, or the folder if the name is malformed. */
  readonly file: string

  /**
   * @param name The name.
   * @param reason Why it is none.
   * @param file Where it was looked for.
   */
  constructor(name: string, reason: string, file: string) {
    super(`Cannot render the template ${JSON.stringify(name.slice(0, 200))}: ${reason}`)
    this.file = file
  }
}

/** The folders that templates are read from. Nothing outside of them is readable. */
export class TemplateFolders {
  readonly #main: string
  readonly #named: ReadonlyMap<string, string>
  readonly #remembers: boolean
  // Only existing files are remembered, which bounds the map.
  readonly #paths = new Map<string, string>()

  /**
   * @param main Folder for names without a prefix.
   * @param named Further folders: `name::page` is in the folder `name`.
   * @param options `remembers`: whether the path of a file is looked up only once.
   * @throws {TypeError} If a folder is not a file URL.
   */
  constructor(
    main: URL,
    named: Readonly<Record<string, URL>>,
    { remembers }: { readonly remembers: boolean },
  ) {
    this.#main = fileURLToPath(main)
    this.#named = new Map(Object.entries(named).map(([name, url]) => [name, fileURLToPath(url)]))
    this.#remembers = remembers
  }

  /**
   * @param name Name of a template.
   * @returns Path of its file.
   * @throws {NoTemplate} If the name is malformed or absolute, leaves its folder, even by a link, or names no file.
   */
  path(name: string): string {
    const path = this.#paths.get(name) ?? this.#find(name)
    if (this.#remembers) this.#paths.set(name, path)
    return path
  }

  /**
   * @param path A path returned by {@link path}.
   * @returns The content of the file.
   * @throws {Error} If it cannot be read.
   */
  read(path: string): string {
    return readFileSync(path, 'utf8')
  }

  /** @returns The names of all templates. */
  names(): readonly string[] {
    const named = [...this.#named].flatMap(([name, folder]) =>
      templatesIn(folder).map((page) => `${name}::${page}`),
    )
    return [...templatesIn(this.#main), ...named]
  }

  #find(name: string): string {
    const separator = name.indexOf('::')
    const folder = separator === -1 ? undefined : name.slice(0, separator)
    const page = separator === -1 ? name : name.slice(separator + 2)
    const directory = folder === undefined ? this.#main : this.#named.get(folder)
    if (directory === undefined) {
      throw new NoTemplate(name, `no folder is called ${JSON.stringify(folder)}`, this.#main)
    }
    const parts = (page.endsWith(EXTENSION) ? page.slice(0, -EXTENSION.length) : page).split('/')
    if (!parts.every((part) => PART.test(part))) {
      throw new NoTemplate(name, `a name is a relative path without "." and ".." in ${directory}`, directory)
    }
    const path = join(directory, ...parts) + EXTENSION
    if (!isFile(path)) {
      throw new NoTemplate(name, `there is no such file in ${directory}${this.#hint(name)}`, path)
    }
    if (!realpathSync(path).startsWith(realpathSync(directory) + sep)) {
      throw new NoTemplate(name, `a link leads out of ${directory}`, path)
    }
    return path
  }

  #hint(name: string): string {
    const names = this.names()
    const known = nearest(name, names) ?? names.find((each) => each.endsWith(`/${name}`))
    return known === undefined ? '' : `; did you mean ${JSON.stringify(known)}?`
  }
}

function templatesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith(EXTENSION),
  )
  return files.map((file) => file.slice(0, -EXTENSION.length).split(sep).join('/')).toSorted()
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    // The name is too long, or a part of it is a file instead of a folder.
    return false
  }
}
