import { SafeHtml } from 'sallyport'
import { renderSVG } from 'uqr'
import type { TotpSetup } from '../factors/shown-secrets.ts'

/** The QR code in the page itself, because the secret goes to no other server; the secret in groups to be typed; and the address for an app. */
export function pictureOf({ secret, uri }: TotpSetup): {
  readonly picture: SafeHtml
  readonly groups: readonly string[]
  readonly uri: string
} {
  const picture = new SafeHtml(renderSVG(uri.reveal(), { border: 2 }))
  return { picture, groups: secret.reveal().match(/.{1,4}/g) ?? [], uri: uri.reveal() }
}
