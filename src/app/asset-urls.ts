import { declarationError, nearest, sentence, shown } from '../core/internal.ts'

/** Where `$asset(name)` finds URLs: the files of a folder, or the list that a bundler has written. */
export interface AssetSource {
  /** The names that it knows, such as `app.css`. */
  readonly assetNames: Iterable<string>

  /**
   * @param name Name of a file.
   * @returns Its URL, with the base path of the application; undefined when it does not know the name.
   */
  assetUrl(name: string): string | undefined
}

/** The assets of all modules. */
export class AssetUrls {
  readonly #sources: AssetSource[] = []

  /**
   * @param source Is asked after those that were added before.
   */
  add(source: AssetSource): void {
    this.#sources.push(source)
  }

  /**
   * @param name Name of a file.
   * @returns Its URL.
   * @throws {RangeError} If no module has a file of that name.
   */
  url(name: string): string {
    for (const source of this.#sources) {
      const url = source.assetUrl(name)
      if (url !== undefined) return url
    }
    throw new RangeError(sentence`Cannot generate a URL for the asset ${shown(name)}: ${this.#advice(name)}`)
  }

  #advice(name: string): string {
    if (this.#sources.length === 0)
      return sentence`no module serves files; add one with new StaticFiles({ … })`
    const names = this.#sources.flatMap(({ assetNames }) => [...assetNames])
    const meant = typeof name === 'string' ? nearest(name, names) : undefined
    return meant === undefined
      ? sentence`there is no such file`
      : sentence`there is no such file; did you mean ${shown(meant)}?`
  }
}

/**
 * @param source What a module declares as the source of its assets.
 * @throws {TypeError} If it is not one.
 */
export function assertAssetSource(source: AssetSource): void {
  const given: unknown = source
  const isSource =
    typeof given === 'object' && given !== null && 'assetUrl' in given && typeof given.assetUrl === 'function'
  if (isSource && 'assetNames' in given) return
  throw declarationError(
    sentence`Cannot take assets from ${shown(given)}: pass an object with assetUrl(name) and assetNames`,
  )
}
