import { ReturnTargets as AnyReturnTargets } from 'sallyport-app/pages'

/** The pages that a login may return to: those whose guard has `static readonly requiresLogin = true`. */
export class ReturnTargets extends AnyReturnTargets {
  constructor() {
    super({ login: 'account:login', otherwise: 'account:home' })
  }
}
