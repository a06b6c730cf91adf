/** What any account may do with its own data, and so may allow a program to do. */
export const OwnScope = {
  /** Read the activity of one's own account. */
  ActivityRead: 'activity.read',
} as const

/**
 * @param permissions What an account may do.
 * @returns What it may allow a token: its own data, and the permissions that it has.
 */
export function grantableScopes(permissions: readonly string[]): readonly string[] {
  return [...new Set([...Object.values(OwnScope), ...permissions])]
}

/**
 * @param scopes What a token was made for.
 * @param permissions What its account may do now.
 * @returns What the token may do now: never more than its account.
 */
export function effectiveScopes(
  scopes: readonly string[],
  permissions: readonly string[],
): readonly string[] {
  const grantable = new Set(grantableScopes(permissions))
  return scopes.filter((scope) => grantable.has(scope))
}
