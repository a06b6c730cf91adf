import { Controller, inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import { type Actions, param } from 'sallyport/routing'
import { Assets } from '../../assets/assets.ts'

/** Style sheet, icon and script. */
export class AssetController extends Controller {
  /** Actions and their parameters. */
  static readonly actions: Actions<AssetController> = { show: [param.string('file')] }

  readonly #assets = inject(Assets)

  /**
   * @param file Name with the digest of the content.
   * @returns The content, which browsers may cache forever.
   * @throws {NotFoundException} If there is no such file, or its content has changed.
   */
  show(file: string): Response {
    const asset = this.#assets.find(file)
    if (asset === undefined) throw new NotFoundException()
    const headers = { 'content-type': asset.type, 'cache-control': 'public, max-age=31536000, immutable' }
    return new Response(asset.content, { headers })
  }
}
