import { Controller } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'

/** The home page. */
export class HomeController extends Controller {
  /** Actions and their parameters. */
  static readonly actions: Actions<HomeController> = { index: [] }

  /**
   * @returns The home page.
   */
  index(): View {
    return this.view('site/home', { title: 'Two doors, one way in', page: 'home' })
  }
}
