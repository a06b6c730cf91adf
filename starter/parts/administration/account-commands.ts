import type { App } from 'sallyport'
import { byName } from 'sallyport-app/boot'
import { optionOf, UsageError } from 'sallyport-app/commands'
import { Users } from '../../core/accounts/users.ts'
import type { Command, CommandContext } from '../../core/commands/command.ts'
import { Mails } from '../../core/mail/mails.ts'
import { type Language, languageOf, LANGUAGES } from '../../core/messages/language.ts'
import { AccountActs } from './account-acts.ts'
import type { Act } from './acts.ts'
import { type Grant, Grants } from './grants.ts'
import { type AddedAccount, NewAccounts, SET_UP_SECONDS } from './new-accounts.ts'
import { ADMINISTRATOR } from './permission.ts'

const REASON = { reason: { type: 'string' } } as const

export const add: Command = {
  usage: 'add EMAIL --name NAME --reason TEXT [--administrator] [--language TAG] [--mail]',
  summary: 'adds an account, and prints or emails the link with which its owner chooses the password',
  words: [1, 1],
  options: {
    ...REASON,
    name: { type: 'string' },
    administrator: { type: 'boolean' },
    language: { type: 'string' },
    mail: { type: 'boolean' },
  },
  async run(context) {
    const email = wordOf(context).trim()
    const name = optionOf(context, 'name').trim()
    const permissions = context.options['administrator'] === true ? ADMINISTRATOR : []
    assertCanMail(context)
    const language = languageFor(context)
    const account = { email, name, permissions, language }
    const added = await context.app.get(NewAccounts).add(actOf(context), account)
    const held = permissions.length === 0 ? '' : ` with ${permissions.join(', ')}`
    const handed = await handOver(context, { ...added, email, name, language })
    return `${email} has an account${held}.\n${handed}`
  },
}

export const link: Command = {
  usage: 'link EMAIL --reason TEXT [--mail]',
  summary: 'makes another setup link for an account without a password; the earlier one stops working',
  words: [1, 1],
  options: { ...REASON, mail: { type: 'boolean' } },
  async run(context) {
    const id = await accountOf(context)
    assertCanMail(context)
    const accounts = context.app.get(NewAccounts)
    const renewed = await accounts.renewLink(actOf(context), id)
    const setUp = await accounts.find(renewed.token)
    return handOver(context, {
      ...renewed,
      email: setUp?.email ?? wordOf(context),
      name: setUp?.name ?? '',
      language: languageOf(setUp?.language ?? context.environment.language),
    })
  },
}

const endSessions: Command = {
  usage: 'end-sessions EMAIL|--all --reason TEXT',
  summary: 'signs an account out everywhere, or all accounts',
  words: [0, 1],
  options: { ...REASON, all: { type: 'boolean' } },
  async run(context) {
    const [email] = context.words
    const isForAll = context.options['all'] === true
    if ((email === undefined) !== isForAll) throw new UsageError('name one account, or use --all')
    const acts = context.app.get(AccountActs)
    const count = isForAll
      ? await acts.endEverybodysSessions(actOf(context))
      : await acts.endSessions(actOf(context), await accountOf(context))
    return `${isForAll ? 'Everybody' : email} is signed out: ${count} ${count === 1 ? 'session' : 'sessions'} ended.`
  },
}

// What is done to one account: with the address comes the name of a permission, where `usage` has one.
function onAccount(
  usage: string,
  summary: string,
  run: (app: App, act: Act, account: Grant & { readonly email: string }) => Promise<string>,
): Command {
  const count = usage.includes('PERMISSION') ? 2 : 1
  return {
    usage: `${usage} --reason TEXT`,
    summary,
    words: [count, count],
    options: REASON,
    async run(context) {
      const [email = '', permission = ''] = context.words
      return run(context.app, actOf(context), { email, permission, accountId: await accountOf(context) })
    },
  }
}

const grant: Command = onAccount(
  'grant EMAIL PERMISSION',
  'grants a permission, from the next request on',
  async (app, act, { email, ...granted }) =>
    (await app.get(Grants).grant(act, granted))
      ? `${email} holds ${granted.permission} now.`
      : `${email} held ${granted.permission} already.`,
)

const withdraw: Command = onAccount(
  'withdraw EMAIL PERMISSION',
  'withdraws a permission, from the next request on',
  async (app, act, { email, ...granted }) =>
    (await app.get(Grants).withdraw(act, granted))
      ? `${email} no longer holds ${granted.permission}.`
      : `${email} did not hold ${granted.permission}.`,
)

const disable: Command = onAccount(
  'disable EMAIL',
  'disables an account and signs it out everywhere',
  async (app, act, { email, accountId }) =>
    (await app.get(AccountActs).disable(act, accountId))
      ? `${email} is disabled and signed out everywhere.`
      : `${email} was disabled already.`,
)

const enable: Command = onAccount(
  'enable EMAIL',
  'enables an account again; sessions from before stay signed out',
  async (app, act, { email, accountId }) =>
    (await app.get(AccountActs).enable(act, accountId))
      ? `${email} is enabled.`
      : `${email} was enabled already.`,
)

const resetFactors: Command = onAccount(
  'reset-factors EMAIL',
  'removes the second factors of an account whose owner lost them; the next login sets up a new one',
  async (app, act, { email, accountId }) => {
    await app.get(AccountActs).resetFactors(act, accountId)
    return `The second factors of ${email} are removed. The next login sets up a new one.`
  },
)

/** What operators do with accounts. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  add,
  link,
  grant,
  withdraw,
  disable,
  enable,
  'end-sessions': endSessions,
  'reset-factors': resetFactors,
}

function wordOf({ words: [word = ''] }: CommandContext): string {
  return word
}

function actOf(context: CommandContext): Act {
  return { by: context.operator, reason: optionOf(context, 'reason') }
}

async function accountOf(context: CommandContext): Promise<string> {
  const email = wordOf(context)
  const account = await context.app.get(Users).findByEmail(email)
  if (account === null) throw new UsageError(`no account has the address ${JSON.stringify(email)}`)
  return account.id
}

// Asked first: an account whose link got lost would have to get another one.
function assertCanMail({ environment, options }: CommandContext): void {
  if (options['mail'] === true && environment.mail === undefined)
    throw new UsageError('--mail needs SMTP_URL and MAIL_FROM; without it the link is printed')
}

function languageFor(context: CommandContext): Language {
  const tag = optionOf(context, 'language')
  if (tag === '') return context.environment.language
  const language = LANGUAGES.find((each) => each === tag)
  if (language === undefined) throw new UsageError(`the language is one of ${LANGUAGES.join(', ')}`)
  return language
}

/** An account with its link, and who gets that. */
interface HandedOver extends AddedAccount {
  readonly email: string
  readonly name: string
  readonly language: Language
}

async function handOver(
  context: CommandContext,
  { token, email, name, language }: HandedOver,
): Promise<string> {
  const { host, port, origin, basePath } = context.environment
  const base = origin ?? (await byName({ host, port }))
  const url = `${base}${basePath}/set-up/${token}`
  if (context.options['mail'] === true) {
    const to = { email, language }
    await context.app.get(Mails).handOver({ kind: 'set-up', to, values: { name, url } })
    return `A mail with the set-up link was sent to ${email}.`
  }
  const hours = SET_UP_SECONDS / 3600
  return `Set-up link, once and for ${hours} hours. It is a secret: send it to its owner only.\n  ${url}`
}
