import { Permission } from '../accounts/permission.ts'

/** What any account may do with its own data, and so may allow a program to do. */
export const OwnScope = {
  /** Read the activity of one's own account. */
  ActivityRead: 'activity.read',
} as const

// Permissions that the API has requests for. To grant permissions or reset factors takes a person who has just proven both doors.
const DELEGABLE: ReadonlySet<string> = new Set([Permission.AdminAccess, Permission.AccountsManage])

/**
 * @param permissions What an account may do.
 * @returns What it may allow a token: its own data, and of its permissions those that the API has requests for.
 */
export function grantableScopes(permissions: readonly string[]): readonly string[] {
  return [...Object.values(OwnScope), ...permissions.filter((permission) => DELEGABLE.has(permission))]
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
