import { Controller, inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import type { Actions } from 'sallyport/routing'
import { SiteWebAuthn } from './web-authn.ts'

const CACHE = { 'cache-control': 'public, max-age=3600' }

/** W3C, "A Well-Known URL for Relying Party Passkey Endpoints": where password managers send whoever has a passkey of this site. */
export class PasskeyEndpointsController extends Controller {
  static readonly actions: Actions<PasskeyEndpointsController> = { index: [] }

  readonly #webAuthn = inject(SiteWebAuthn)

  /** @throws {NotFoundException} Where passkeys are not offered. */
  index(): Response {
    const site = this.#webAuthn.relyingParty()
    if (site === undefined) throw new NotFoundException()
    const url = (route: string): string => site.origin + this.context.url(route)
    return Response.json({ enroll: url('passkeys:new'), manage: url('security:home') }, { headers: CACHE })
  }
}
