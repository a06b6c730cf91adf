import { byName } from 'sallyport-app/boot'
import { optionOf, UsageError } from 'sallyport-app/commands'
import { Users } from '../../core/accounts/users.ts'
import type { Command, CommandContext } from '../../core/commands/command.ts'
import { Mails } from '../../core/mail/mails.ts'
import { type Language, languageOf, LANGUAGES } from '../../core/messages/language.ts'
import { AccountStates } from './account-states.ts'
import type { Act } from './acts.ts'
import { FactorResets } from './factor-resets.ts'
import { Grants } from './grants.ts'
import { type AddedAccount, NewAccounts, SET_UP_SECONDS } from './new-accounts.ts'
import { ADMINISTRATOR } from './permission.ts'
import { SessionEnds } from './session-ends.ts'

const REASON = { reason: { type: 'string' } } as const

// A command that takes an address, or another single word.
const ONE_WORD: Pick<Command, 'words' | 'options'> = { words: [1, 1], options: REASON }

export const add: Command = {
  usage:
    'add EMAIL --name NAME --reason TEXT [--permission NAME]… [--administrator] [--language TAG] [--mail]',
  summary: 'adds an account, and prints or emails the link with which its owner chooses the password',
  words: [1, 1],
  options: {
    ...REASON,
    name: { type: 'string' },
    permission: { type: 'string', multiple: true },
    administrator: { type: 'boolean' },
    language: { type: 'string' },
    mail: { type: 'boolean' },
  },
  async run(context) {
    const email = wordOf(context).trim()
    const name = optionOf(context, 'name').trim()
    const { permission: given, administrator } = context.options
    const named = Array.isArray(given) ? given.map(String) : []
    const permissions = [...new Set(administrator === true ? [...ADMINISTRATOR, ...named] : named)]
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

const grant: Command = {
  usage: 'grant EMAIL PERMISSION --reason TEXT',
  summary: 'grants a permission, from the next request on',
  words: [2, 2],
  options: REASON,
  async run(context) {
    const [email = '', permission = ''] = context.words
    const accountId = await accountOf(context)
    const isNew = await context.app.get(Grants).grant(actOf(context), { accountId, permission })
    return isNew ? `${email} holds ${permission} now.` : `${email} held ${permission} already.`
  },
}

const withdraw: Command = {
  usage: 'withdraw EMAIL PERMISSION --reason TEXT',
  summary: 'withdraws a permission, from the next request on',
  words: [2, 2],
  options: REASON,
  async run(context) {
    const [email = '', permission = ''] = context.words
    const accountId = await accountOf(context)
    const wasHeld = await context.app.get(Grants).withdraw(actOf(context), { accountId, permission })
    return wasHeld ? `${email} no longer holds ${permission}.` : `${email} did not hold ${permission}.`
  },
}

const disable: Command = {
  ...ONE_WORD,
  usage: 'disable EMAIL --reason TEXT',
  summary: 'disables an account and signs it out everywhere',
  async run(context) {
    const email = wordOf(context)
    const states = context.app.get(AccountStates)
    const isChanged = await states.disable(actOf(context), await accountOf(context))
    return isChanged ? `${email} is disabled and signed out everywhere.` : `${email} was disabled already.`
  },
}

const enable: Command = {
  ...ONE_WORD,
  usage: 'enable EMAIL --reason TEXT',
  summary: 'enables an account again; sessions from before stay signed out',
  async run(context) {
    const email = wordOf(context)
    const states = context.app.get(AccountStates)
    const isChanged = await states.enable(actOf(context), await accountOf(context))
    return isChanged ? `${email} is enabled.` : `${email} was enabled already.`
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
    const sessions = context.app.get(SessionEnds)
    const count = isForAll
      ? await sessions.endEverybodys(actOf(context))
      : await sessions.endAll(actOf(context), await accountOf(context))
    return `${isForAll ? 'Everybody' : email} is signed out: ${count} ${count === 1 ? 'session' : 'sessions'} ended.`
  },
}

const resetFactors: Command = {
  ...ONE_WORD,
  usage: 'reset-factors EMAIL --reason TEXT',
  summary: 'removes the second factors of an account whose owner lost them; the next login sets up a new one',
  async run(context) {
    const resets = context.app.get(FactorResets)
    const accountId = await accountOf(context)
    if ((await resets.reset(actOf(context), accountId)) === 'reset')
      return `The second factors of ${wordOf(context)} are removed. The next login sets up a new one.`
    const request = (await resets.waiting(1000)).find((waiting) => waiting.accountId === accountId)
    return `A second person has to approve this within a day:\n  npm start -- approve-reset ${request?.id ?? ''} --reason TEXT`
  },
}

const approveReset: Command = {
  ...ONE_WORD,
  usage: 'approve-reset REQUEST --reason TEXT',
  summary: 'approves the reset that another person asked for, where TWO_PERSON_RESET=1 is set',
  async run(context) {
    await context.app.get(FactorResets).approve(actOf(context), wordOf(context))
    return 'The second factors are removed. The next login sets up a new one.'
  },
}

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
  'approve-reset': approveReset,
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
