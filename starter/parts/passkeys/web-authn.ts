import { inject } from 'sallyport'
import { WebAuthn } from 'sallyport-app/webauthn'
import { BRAND } from '../../core/brand.ts'
import { Settings } from '../../core/settings.ts'

/** WebAuthn for the pages of this application. */
export class SiteWebAuthn extends WebAuthn {
  constructor() {
    super({ name: BRAND.name, origin: inject(Settings).origin })
  }
}
