import type { StepUpRule } from '../../core/step-up/step-up.ts'
import { Permission } from './permission.ts'

/** What a page does to an account. Its texts are `admin.<name>.lead`, `.submit` and `.done`. */
export interface Task {
  /** The permission that it needs. */
  readonly needs: Permission
  /** What is proven before. The message of its action is the title of the page. */
  readonly rule: StepUpRule
  /** Whether somebody loses something by it. Default: false. */
  readonly isDangerous?: boolean
  /** Whether it is about a permission of the account. Default: false. */
  readonly isOfPermission?: boolean
}

/** Name of a task: it ends the path of its page. */
export type TaskName = 'disable' | 'enable' | 'end-sessions' | 'reset-factors' | 'grant' | 'withdraw'

/** What is done to an account on pages. */
export const TASKS: Readonly<Record<TaskName, Task>> = {
  disable: {
    needs: Permission.AccountsManage,
    rule: { action: 'step-up.action.disable-account' },
    isDangerous: true,
  },
  enable: { needs: Permission.AccountsManage, rule: { action: 'step-up.action.enable-account' } },
  'end-sessions': {
    needs: Permission.AccountsManage,
    rule: { action: 'step-up.action.end-account-sessions' },
    isDangerous: true,
  },
  'reset-factors': {
    needs: Permission.FactorsReset,
    rule: { action: 'step-up.action.reset-factors' },
    isDangerous: true,
  },
  grant: {
    needs: Permission.AccountsPermissions,
    // Whoever finds a browser that its owner has just left must not hand out rights in it.
    rule: { action: 'step-up.action.grant-permission', maxAge: 60 },
    isOfPermission: true,
  },
  withdraw: {
    needs: Permission.AccountsPermissions,
    rule: { action: 'step-up.action.withdraw-permission' },
    isDangerous: true,
    isOfPermission: true,
  },
}
