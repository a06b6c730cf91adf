/** The permissions that an account may have. */
export const Permission = {
  /** See the accounts and the audit trail. */
  AdminAccess: 'admin.access',
} as const

/** One of the permissions. */
export type Permission = (typeof Permission)[keyof typeof Permission]
