/** The permissions that an account may have. */
export const Permission = {
  /** See the accounts and the audit trail. */
  AdminAccess: 'admin.access',
  /** Disable and enable accounts, and end their sessions. */
  AccountsManage: 'accounts.manage',
  /** Grant and withdraw permissions. */
  AccountsPermissions: 'accounts.permissions',
  /** Reset the second factors of somebody who lost them. */
  FactorsReset: 'factors.reset',
} as const

/** One of the permissions. */
export type Permission = (typeof Permission)[keyof typeof Permission]

/** All of them: what somebody needs who administers the accounts. */
export const ADMINISTRATOR: readonly Permission[] = Object.values(Permission)
