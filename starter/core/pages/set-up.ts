import { SafeHtml } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { renderSVG } from 'uqr'
import { z } from 'zod'
import { labelField } from 'sallyport-app/text'
import type { AddedFactor, SetupRefusal } from '../factors/factor-setups.ts'
import type { TotpSetup } from '../factors/shown-secrets.ts'
import { authenticatorCode } from '../factors/totp-code.ts'
import type { FormPage, PageState } from './page-controller.ts'

/** The first code of an authenticator, and what its owner calls it. */
export interface NamedCode {
  readonly label: string
  readonly code: string
}

export const namedCodeSchema: z.ZodType<NamedCode> = z.object({ label: labelField, code: authenticatorCode })

const WRONG = { field: 'code', code: 'wrong_first_code', fallback: 'That code is wrong', domain: 'auth' }

/**
 * @param prove Proves an authenticator by the first code that was typed.
 * @param locked What the page says when there were too many.
 * @returns What was added, or why nothing can be; the state of the page where the form is shown again.
 */
export async function proveFirstCode(
  form: Submitted<object>,
  prove: () => Promise<AddedFactor | SetupRefusal>,
  locked: (error: unknown) => PageState,
): Promise<AddedFactor | FormPage | Exclude<SetupRefusal, 'wrong'>> {
  try {
    const added = await prove()
    return added === 'wrong' ? { form: form.refuse(WRONG), status: 422 } : added
  } catch (error) {
    return { form: form.refuse(), ...locked(error) }
  }
}

/** The QR code in the page itself, because the secret goes to no other server; the secret in groups to be typed; and the address for an app. */
export function pictureOf({ secret, uri }: TotpSetup): {
  readonly picture: SafeHtml
  readonly groups: readonly string[]
  readonly uri: string
} {
  const picture = new SafeHtml(renderSVG(uri.reveal(), { border: 2 }))
  return { picture, groups: secret.reveal().match(/.{1,4}/g) ?? [], uri: uri.reveal() }
}
