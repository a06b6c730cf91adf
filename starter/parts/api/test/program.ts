import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Secret } from 'sallyport'
import { TestClient, type TestRequestOptions } from 'sallyport/testing'
import { ApiTokens, type TokenRequest } from '../api-tokens.ts'
import { type Person, World } from '../../../test/support.ts'

const FROM = { clientAddress: '192.0.2.7', device: '' }

/** What came back from the API. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly json: Readonly<Record<string, unknown>>
}

/** @returns The token. */
export async function makeToken(
  world: World,
  person: Person,
  request: Partial<TokenRequest> = {},
): Promise<string> {
  const identity = await world.identity.users.authenticationIdentity(person.id)
  const { credentialVersion = 0 } = identity ?? {}
  const made = await world.app
    .get(ApiTokens)
    .create(
      { accountId: person.id, ...FROM },
      { name: 'ci', scopes: [], days: 30, credentialVersion, ...request },
    )
  assert.ok(made instanceof Secret, String(made))
  return made.reveal()
}

/** A program that calls the API: it keeps no cookies of its own making. */
export class Program {
  readonly client: TestClient
  readonly #token: string

  /**
   * @param world Where the API is.
   * @param token Its token.
   */
  constructor(world: World, token: string) {
    this.client = new TestClient(world.app, { origin: 'https://app.test' })
    this.#token = token
  }

  /** @returns What came back. */
  async get(path: string, options: TestRequestOptions = {}): Promise<Reply> {
    return read(await this.client.get(`/api${path}`, this.#with(options)))
  }

  /** @returns What came back. */
  async send(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    options: TestRequestOptions = {},
  ): Promise<Reply> {
    return read(await this.client.request(method, `/api${path}`, this.#with(options)))
  }

  #with(options: TestRequestOptions): TestRequestOptions {
    return { ...options, headers: { authorization: `Bearer ${this.#token}`, ...options.headers } }
  }
}

/** Somebody with a program that calls the API. */
export interface Calling {
  readonly world: World
  readonly ada: Person
  readonly token: string
  readonly program: Program
}

/** @returns An administrator with one. */
export async function calling(test: TestContext, scopes: readonly string[] = []): Promise<Calling> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled', permissions: ['admin.access'] })
  const token = await makeToken(world, ada, { scopes })
  return { world, ada, token, program: new Program(world, token) }
}

/** @returns Its parts. */
export async function read(response: Response): Promise<Reply> {
  const text = await response.text()
  const json = text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>)
  return { status: response.status, headers: response.headers, json }
}
