import { inject } from '../container/index.ts'
import { HttpContext } from '../context/index.ts'
import { Clock, SystemClock } from '../core/index.ts'
import { assertBoolean, assertOptions, callSite, declarationError, shown } from '../core/internal.ts'
import { NotFoundException } from '../http/index.ts'
import type { AssetSource, Module, ModuleDefinition } from '../app/index.ts'
import { type ControllerClass, param } from '../routing/index.ts'
import { type Catalog, type FoundAsset, ListedCatalog, LiveCatalog } from './catalog.ts'
import type { FileRequest } from './conditional-response.ts'
import { respondWithFile } from './file-response.ts'
import { Folder } from './folder.ts'

/** Options of {@link StaticFiles}. */
export interface StaticFilesOptions {
  /** The folder. */
  readonly directory: URL
  /** The path below which its files are, of one segment: `/assets`. The module owns all URLs below it. */
  readonly at: string
  /**
   * Whether the folder is listed once, and `$asset()` gives names that change with the content, which browsers may keep
   * forever. False: files are looked up at each request. Default: false only if `NODE_ENV` is `development`.
   */
  readonly fingerprint?: boolean
  /**
   * Names of files of the folder that are at the root of the site too, where browsers and robots look for them:
   * `favicon.ico`, `robots.txt`. Default: none.
   */
  readonly rootFiles?: readonly string[]
}

// Browsers ask each time, and get a 304.
const REVALIDATED = 'no-cache'
const FOREVER = 'public, max-age=31536000, immutable'
const AT = /^\/[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/**
 * A module that serves the files of a folder: style sheets, scripts, pictures. List it with the other modules. Nothing outside
 * the folder is reachable, and nothing whose name begins with a dot.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { mkdtemp, writeFile } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 * import { pathToFileURL } from 'node:url'
 * import { App } from 'sallyport'
 * import { StaticFiles } from 'sallyport/files'
 * import { TestClient } from 'sallyport/testing'
 *
 * const folder = await mkdtemp(join(tmpdir(), 'assets-'))
 * await writeFile(join(folder, 'app.css'), 'body { margin: 0 }')
 * const assets = new StaticFiles({ directory: pathToFileURL(folder), at: '/assets' })
 * const client = new TestClient(App.default().modules(assets))
 *
 * const response = await client.get(assets.url('app.css'))
 * assert.match(assets.url('app.css'), /^\/assets\/app\.[0-9a-f]{12}\.css$/)
 * assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
 * ```
 */
export class StaticFiles implements ModuleDefinition, AssetSource {
  /** Name of the module, made of the path: `Assets`. */
  readonly name: string
  /** Where it is declared, as `file:line`. */
  readonly source: string | undefined
  readonly #at: string
  readonly #folder: Folder
  readonly #isListed: boolean
  readonly #rootFiles: readonly string[]
  readonly #urls = new Map<string, string>()
  #catalog: Catalog | null = null
  // Null before an application has read the module.
  #basePath: string | null = null

  /**
   * @param options Folder and path.
   * @throws {TypeError} If an option is unknown, the folder is not a file URL, or the files of the root are not a list of
   * names.
   * @throws {RangeError} If the folder or a file of the root does not exist, or the path is not one lower-case segment.
   */
  constructor(options: StaticFilesOptions) {
    assertOptions(options, ['directory', 'at', 'fingerprint', 'rootFiles'], 'StaticFiles')
    const { directory, at, fingerprint = process.env['NODE_ENV'] !== 'development', rootFiles = [] } = options
    assertBoolean(fingerprint, 'fingerprint')
    if (typeof at !== 'string' || !AT.test(at))
      throw declarationError(
        `Cannot serve files at ${shown(at)}: use one segment of a to z, 0 to 9 and single hyphens, such as "/assets"`,
        RangeError,
      )
    this.#folder = new Folder(directory)
    this.#at = at
    this.#isListed = fingerprint
    this.#rootFiles = readRootFiles(rootFiles, this.#folder)
    this.name = at.replace(/[/-]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    this.source = callSite()
  }

  /** The names of its files, such as `icons/star.svg`. */
  get assetNames(): readonly string[] {
    return this.#files().names
  }

  /**
   * @param name Name of a file.
   * @returns Its URL; undefined when there is no such file.
   * @throws {RangeError} At the first call, if a compressed file does not hold what its original holds.
   */
  assetUrl(name: string): string | undefined {
    const publicName = typeof name === 'string' ? this.#files().publicName(name) : undefined
    return publicName && this.#urlOf(publicName)
  }

  /**
   * @param name Name of a file.
   * @returns Its URL, as `$asset(name)` gives it in templates. Before the application boots, it lacks the base path.
   * @throws {RangeError} If there is no such file; or, at the first call, if a compressed file does not hold what its
   * original holds.
   */
  url(name: string): string {
    const url = this.assetUrl(name)
    if (url !== undefined) return url
    throw new RangeError(
      `Cannot generate a URL for ${shown(name)}: there is no such file in ${this.#folder.path}`,
    )
  }

  /**
   * Declares its URLs. The application calls it at boot.
   *
   * @param module Receives them.
   * @throws {RangeError} If a compressed file does not hold what its original holds.
   * @throws {TypeError} If an application with another base path has read it.
   */
  readonly configure = (module: Module): void => {
    if (this.#basePath !== null && this.#basePath !== module.basePath)
      throw declarationError(
        `Cannot serve files at "${this.#at}" below the base paths ${shown(this.#basePath)} and ${shown(module.basePath)}: create a StaticFiles for each application`,
      )
    this.#basePath = module.basePath
    this.#urls.clear()
    const files = this.#files()
    const controller = controllerOf(files)
    module
      .mount(this.#at.slice(1))
      .withoutConventionRouting()
      .withoutTrailingSlash()
      .assets(this)
      .routes((routes) => {
        routes.get('/{path}', [controller, 'show']).where('path', '.*').name('file')
      })
    for (const name of this.#rootFiles) {
      const alone = controllerOf(files, name)
      module.claim(`/${name}`, (routes) => void routes.get('/', [alone, 'show']))
    }
  }

  // A page asks for several.
  #urlOf(publicName: string): string {
    const known = this.#urls.get(publicName)
    if (known !== undefined) return known
    const url = [`${this.#basePath ?? ''}${this.#at}`, ...publicName.split('/').map(encodeURIComponent)].join(
      '/',
    )
    this.#urls.set(publicName, url)
    return url
  }

  #files(): Catalog {
    if (this.#catalog !== null) return this.#catalog
    const clock = new SystemClock()
    this.#catalog = this.#isListed
      ? new ListedCatalog(this.#folder)
      : new LiveCatalog(this.#folder, () => clock.milliseconds())
    return this.#catalog
  }
}

function readRootFiles(given: unknown, folder: Folder): readonly string[] {
  const names: readonly unknown[] = Array.isArray(given) ? given : []
  const bad = names.find((name) => typeof name !== 'string')
  if (!Array.isArray(given) || bad !== undefined)
    throw declarationError(
      `Cannot serve ${shown(bad ?? given)} at the root: pass a list of names, such as ["favicon.ico", "robots.txt"]`,
    )
  return names.map(String).map((name) => {
    if (folder.find([name]) !== undefined) return name
    throw declarationError(
      `Cannot serve ${shown(name)} at the root: there is no such file in ${folder.path}`,
      RangeError,
    )
  })
}

type FileControllerClass = ControllerClass & (new () => { show(...path: string[]): Promise<Response> })

// Each folder has a controller of its own, and each file of the root: a controller is told nothing but its path.
function controllerOf(files: Catalog, only?: string): FileControllerClass {
  return class FileController {
    static readonly actions = { show: only === undefined ? [param.rest(param.string('path'))] : [] }

    readonly #context = inject(HttpContext)
    readonly #clock = inject(Clock)

    async show(...path: string[]): Promise<Response> {
      const found = files.find(only === undefined ? path : [only])
      if (found === undefined) throw new NotFoundException()
      this.#context.isShared = true
      const response = await this.#send(found)
      if (response !== undefined) return response
      const renewed = files.renewed(found)
      const again = renewed === undefined ? undefined : await this.#send(renewed)
      if (again === undefined) throw new NotFoundException()
      return again
    }

    #send({ asset, isFingerprinted }: FoundAsset): Promise<Response | undefined> {
      const request: FileRequest = {
        method: this.#context.method(),
        header: (name) => this.#context.header(name),
        caching: isFingerprinted ? FOREVER : REVALIDATED,
        now: this.#clock.milliseconds(),
      }
      return respondWithFile(asset, request)
    }
  }
}
