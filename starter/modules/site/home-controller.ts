import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { PageController } from '../page-controller.ts'

/** The home page. */
export class HomeController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<HomeController> = { index: [] }

  /**
   * @returns The home page.
   */
  index(): View {
    return this.page('site/home', { title: 'home.title', page: 'home' })
  }
}
