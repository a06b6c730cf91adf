import { type HttpContext, inject } from 'sallyport'
import { type AccountIdentity, ResolveIdentity as AnyResolveIdentity } from 'sallyport-app/sessions'
import { Users } from '../accounts/users.ts'

/** Establishes the identity of a request from its session and the accounts of this application, and protects nothing. */
export class ResolveIdentity extends AnyResolveIdentity {
  readonly #users = inject(Users)

  protected identityOf(identifier: string): Promise<AccountIdentity | null> {
    return this.#users.authenticationIdentity(identifier)
  }

  protected async tellEnded(context: HttpContext): Promise<void> {
    await context.flash().add('warning', 'sign-in.ended')
  }
}
