import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { readPendingLogin } from '../challenges/pending-login.ts'
import { PageController } from '../pages/page-controller.ts'

/** The home page. */
export class HomeController extends PageController {
  static readonly actions: Actions<HomeController> = { index: [] }

  /** @returns The home page, which leads back to a sign-in that waits for its second step. */
  async index(): Promise<View> {
    const isPending = (await readPendingLogin(this.context.session(), this.clock)) !== undefined
    return this.page('site/home', { title: 'home.title', page: 'home', isPending })
  }
}
