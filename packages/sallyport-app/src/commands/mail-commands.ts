import { byOperator } from '../audit/index.ts'
import { ALL_MAILS, GivenUpMails, MailDecisions } from '../mail/index.ts'
import { RefusedError } from './command.ts'
import type { OperatorCommand } from './operator-context.ts'

/** Lists the mails that could not be sent. */
export const mails: OperatorCommand = {
  usage: 'mails',
  summary: 'lists the emails that could not be sent, and counts those that wait',
  words: [0, 0],
  async run({ app }) {
    const given = app.get(GivenUpMails)
    const [{ waiting }, list] = [await given.status(), await given.list()]
    const lines = list.map(
      ({ id, kind, to = 'unreadable', failure, givenUpAt }) =>
        `  ${id}  ${timeOf(givenUpAt)}  ${kind}  ${to}  ${failure}`,
    )
    const facts = { waiting, givenUp: list.map((mail) => ({ ...mail, to: mail.to ?? null })) }
    if (lines.length === 0) return { text: `${waiting} waiting to be sent, none given up.`, facts }
    const text = [
      `${waiting} waiting to be sent. Given up:`,
      ...lines,
      '"npm start -- retry-mail ID" tries one again, "drop-mail ID" deletes it; "all" in place of ID takes all of them.',
    ].join('\n')
    return { text, facts }
  },
}

/** Tries mails again that were given up. */
export const retryMail: OperatorCommand = {
  usage: 'retry-mail ID|all',
  summary: 'tries emails again that could not be sent, such as after the mail server was repaired',
  ...deciding('retry', 'will be tried again by the running application'),
}

/** Deletes mails that were given up. */
export const dropMail: OperatorCommand = {
  usage: 'drop-mail ID|all',
  summary: 'deletes emails that could not be sent',
  ...deciding('drop', 'deleted'),
}

function deciding(decision: 'retry' | 'drop', done: string): Pick<OperatorCommand, 'words' | 'run'> {
  return {
    words: [1, 1],
    async run({ app, words: [chosen = ''], operator }) {
      const count = await app.get(MailDecisions).make(decision, chosen, byOperator(operator))
      if (count === 0 && chosen !== ALL_MAILS)
        throw new RefusedError('there is no such email. "npm start -- mails" lists them')
      return { text: `${count} ${done}.`, facts: { count } }
    },
  }
}

function timeOf(timestamp: number): string {
  return `${new Date(timestamp * 1000).toISOString().slice(0, 16)}Z`
}
