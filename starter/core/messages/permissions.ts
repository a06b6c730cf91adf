import type { Texts } from './language.ts'

const en = {
  'permission.admin-access': 'See all accounts and their activity',
  'permission.accounts-manage': 'Add, disable and enable accounts, and end their sessions',
  'permission.accounts-permissions': 'Grant and withdraw permissions',
  'permission.factors-reset': 'Reset the second step of people who lost it',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'permission.admin-access': 'Alle Konten und ihre Aktivitäten sehen',
  'permission.accounts-manage': 'Konten anlegen, sperren und freigeben und ihre Sitzungen beenden',
  'permission.accounts-permissions': 'Rechte erteilen und entziehen',
  'permission.factors-reset': 'Den zweiten Schritt von Menschen zurücksetzen, die ihn verloren haben',
}

/** What each permission of an account, and each scope of a token, allows. */
export const permissions: Texts<keyof typeof en> = { en, de }
