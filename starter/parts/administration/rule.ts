import { ValidationException, Violation } from 'sallyport/input'

const FALLBACKS = {
  own_account: 'Nobody does this to their own account: ask another person',
  last_administrator: 'This would leave no administrator: make another one first',
  unknown_permission: 'There is no such permission',
  permission_not_held: 'Nobody grants a permission that they do not hold',
  address_taken: 'This address has an account already',
  invalid_address: 'This is not an e-mail address',
  invalid_name: 'Give a name of 1 to 100 characters',
  already_set_up: 'The owner of this account has chosen a password already',
}

/** A rule of the administration that refuses even somebody who holds the permission. */
export type Rule = keyof typeof FALLBACKS

/**
 * @param field The field of the form that it concerns. Default: none.
 * @returns The exception to throw. Its violation has the rule as its code.
 */
export function refusedBy(rule: Rule, field: string | null = null): ValidationException {
  return new ValidationException([
    new Violation({
      field,
      code: rule,
      messageId: `rule.${rule}`,
      fallback: FALLBACKS[rule],
      domain: 'messages',
    }),
  ])
}
