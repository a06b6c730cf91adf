import { styleText } from 'node:util'

/** What an operator reads once an application listens, beside where that is. */
export interface Banner {
  /** Name of the application. */
  readonly name: string
  /**
   * Lines above the rest, such as a QR code: they may be taller than the window, and the rest must stay next to the prompt. Default: none.
   */
  readonly above?: readonly string[]
  /** Paragraphs below it, each of several lines. Default: none. */
  readonly notes?: readonly (readonly string[])[]
}

/** Where an application is. */
export interface BannerPlaces {
  /** Address to open. */
  readonly url: string
  /** Address that it listens on; differs from the URL behind a proxy. */
  readonly listensOn: string
  /** The folder of the databases, or what else they are in. */
  readonly data: string
}

/**
 * Words a banner.
 *
 * @param banner What the application says.
 * @param places Where it is.
 * @param stream Where it is written, which says whether that shows styles.
 * @returns The text.
 * @internal
 */
export function bannerText(
  { name, above = [], notes = [] }: Banner,
  { url, listensOn, data }: BannerPlaces,
  stream: NodeJS.WriteStream,
): string {
  const lines = [
    `${name}: ${styleText('bold', url, { stream })}`,
    ...(url === listensOn ? [] : [`Listening on: ${listensOn}`]),
    `Data: ${data}`,
    ...notes.flatMap((paragraph) => ['', ...paragraph]),
    '',
    'Press Ctrl+C to stop.',
  ]
  const indented = lines.map((line) => (line === '' ? '' : `  ${line}`))
  return ['', ...above, ...(above.length === 0 ? [] : ['']), ...indented, '', ''].join('\n')
}
