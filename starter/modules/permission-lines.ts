import { Permission } from '../identity/accounts/permission.ts'
import { OwnScope } from '../identity/tokens/scopes.ts'

// A permission without a text does not compile.
const TEXTS: Readonly<Record<Permission | (typeof OwnScope)[keyof typeof OwnScope], string>> = {
  [OwnScope.ActivityRead]: 'permission.activity-read',
  [Permission.AdminAccess]: 'permission.admin-access',
  [Permission.AccountsManage]: 'permission.accounts-manage',
  [Permission.AccountsPermissions]: 'permission.accounts-permissions',
  [Permission.FactorsReset]: 'permission.factors-reset',
}

/** A permission of an account or a scope of a token, as the pages show it. */
export interface PermissionLine {
  /** Its name. */
  readonly name: string
  /** Message that says what it allows; undefined for one that this version does not know. */
  readonly about: string | undefined
}

/**
 * @param name Name of a permission or scope.
 * @returns What the pages show of it.
 */
export function toPermissionLine(name: string): PermissionLine {
  return { name, about: Object.entries(TEXTS).find(([known]) => known === name)?.[1] }
}
