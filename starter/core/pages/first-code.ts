import type { Submitted } from 'sallyport/input'
import type { AddedFactor, SetupRefusal } from '../factors/factor-setups.ts'
import type { FormPage, PageState } from './page-controller.ts'

const WRONG_CODE = {
  field: 'code',
  code: 'wrong_first_code',
  fallback: 'That code is wrong',
  domain: 'auth',
}

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
    return added === 'wrong' ? { form: form.refuse(WRONG_CODE), status: 422 } : added
  } catch (error) {
    return { form: form.refuse(), ...locked(error) }
  }
}
