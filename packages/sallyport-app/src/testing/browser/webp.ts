/** Pictures of pages, as small as documentation wants them. @module */
import type { Page } from 'playwright-core'

/** As much of the DOM as turning a picture into WebP needs. */
interface CanvasGlobals {
  readonly Image: new () => { src: string; width: number; height: number; decode(): Promise<void> }
  readonly document: {
    createElement(name: 'canvas'): {
      width: number
      height: number
      getContext(kind: '2d'): { drawImage(image: object, x: number, y: number): void } | null
      toDataURL(type: string, quality: number): string
    }
  }
}

/**
 * Takes a picture of what is seen of a page.
 *
 * @param page The page.
 * @param quality Quality of the WebP, from 0 to 1.
 * @returns The bytes of the picture.
 * @throws {TypeError} If the browser has ended.
 */
export async function toWebp(page: Page, quality: number): Promise<Buffer> {
  const png = await page.screenshot({ caret: 'hide' })
  // A page of its own: the policy of the application would refuse the picture.
  const encoder = await page.context().browser()?.newPage()
  if (encoder === undefined) throw new TypeError('Cannot encode a picture: the browser is gone')
  const source = `data:image/png;base64,${png.toString('base64')}`
  const url = await encoder.evaluate(encode, { source, quality })
  await encoder.close()
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

// Runs inside the page.
async function encode({
  source,
  quality,
}: {
  readonly source: string
  readonly quality: number
}): Promise<string> {
  const { Image, document } = globalThis as unknown as CanvasGlobals
  const image = new Image()
  image.src = source
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width
  canvas.height = image.height
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  return canvas.toDataURL('image/webp', quality)
}
