import { HttpException } from 'sallyport/http'

/** What is refused: the API shows subject and problem, a page the message. */
export class Refusal extends HttpException {
  readonly subject: string
  readonly problem: string

  constructor(status: 401 | 403 | 404 | 409, subject: string, problem: string) {
    const options = status === 401 ? { headers: { 'www-authenticate': 'Token' } } : {}
    super(status, `ERR_CONDUIT_${status}`, `${subject} ${problem}`, options)
    this.subject = subject
    this.problem = problem
  }
}

export const unauthorized = (subject: string, problem: string) => new Refusal(401, subject, problem)
export const forbidden = (subject: string) => new Refusal(403, subject, 'forbidden')
export const notFound = (subject: string) => new Refusal(404, subject, 'not found')
export const taken = (subject: string) => new Refusal(409, subject, 'has already been taken')
