// Whoever lost the other factor puts a new one in its place, sees to the password and ends what somebody else may have open.
// What takes a factor away, lets programs in or concerns other accounts is not here: that waits for the new factor.
const RECOVERY_ACTIONS: ReadonlySet<string> = new Set([
  'step-up.action.replace-factor',
  'step-up.action.add-factor',
  'step-up.action.recovery-codes',
  'step-up.action.password',
  'step-up.action.end-session',
  'step-up.action.end-sessions',
])

/**
 * Says for which actions a recovery code stands in for the factor that is lost. It never removes one, so that no recovery ends in
 * an account that asks for the password only.
 *
 * @param action Message that names the action. Default: any.
 * @returns Whether a recovery code is enough, beside the password.
 */
export function acceptsRecovery(action: string | undefined): boolean {
  return action === undefined || RECOVERY_ACTIONS.has(action)
}
