import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { RedisConnection } from '../../src/session/redis-connection.ts'
import { liveHead, liveText } from '../../src/session/redis-record.ts'
import { UPDATE } from '../../src/session/redis-scripts.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'

describe('RedisConnection', { skip: withoutRedis }, () => {
  it('does not run a script after its time, and opens a new connection to read the time again', async () => {
    await using server = await RedisServer.start()
    const connection = await RedisConnection.open({ url: server.url, timeoutMilliseconds: 500 })
    const expiration = { type: 'PX', value: 60_000 } as const
    const text = liveText({ createdAt: 1, expiresAt: 10 }, new Map())
    await connection.run((client) => client.set('key', text, { expiration }))
    const values = ['2', liveHead({ createdAt: 1, expiresAt: 20 }), '60000', '"a"\u001f1\u001e', '-']

    const late = connection.run((client) =>
      client.eval(UPDATE.text, { keys: ['key'], arguments: ['1', ...values] }),
    )

    await assert.rejects(late, (error: Error) => {
      assert.match(String(error.cause), /LATE/)
      return true
    })
    await pause(200)
    assert.equal(await connection.run((client) => client.get('key')), text)
    const inTime = connection.run((client, notAfter) =>
      client.eval(UPDATE.text, { keys: ['key'], arguments: [notAfter, ...values] }),
    )
    assert.equal(await inTime, 1)
    const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
    connection.close()
    assert.equal(sockets, 1)
  })

  it('retries idempotent operations over the next connection', async () => {
    await using server = await RedisServer.start()
    const connection = await RedisConnection.open({ url: server.url, timeoutMilliseconds: 5000 })
    const expiration = { type: 'PX', value: 60_000 } as const
    await connection.run((client) => client.set('key', 'kept', { expiration }))
    let calls = 0
    server.pause()

    const pending = connection.runRepeatable((client) => {
      calls++
      return client.get('key')
    })
    await server.stop('SIGKILL')
    await server.start()

    assert.equal(await pending, 'kept')
    assert.equal(calls, 2)
    connection.close()
  })

  it('takes no more time for a retry', async () => {
    await using server = await RedisServer.start()
    const connection = await RedisConnection.open({ url: server.url, timeoutMilliseconds: 1500 })
    let calls = 0
    server.pause()

    const pending = connection.runRepeatable((client) => {
      calls++
      return calls === 1 ? client.get('key') : new Promise<never>(() => undefined)
    })
    await server.stop('SIGKILL')
    await server.start()

    await assert.rejects(pending, { code: 'ERR_SESSION_STORE_TIMEOUT' })
    connection.close()
  })

  it('waits for the next connection no longer than for an answer', async () => {
    await using server = await RedisServer.start()
    const connection = await RedisConnection.open({ url: server.url, timeoutMilliseconds: 500 })
    server.pause()

    const pending = connection.runRepeatable((client) => client.get('key'))
    await server.stop('SIGKILL')

    await assert.rejects(pending, {
      code: 'ERR_SESSION_STORE_TIMEOUT',
      message: 'Redis did not answer in time',
    })
    connection.close()
  })

  it('sends once what the server refuses, and what finds no connection', async () => {
    await using server = await RedisServer.start()
    const connection = await RedisConnection.open({ url: server.url, timeoutMilliseconds: 5000 })
    let calls = 0
    const refused = connection.runRepeatable((client) => {
      calls++
      return client.eval('return redis.error_reply("NO, it is too LATE")', { keys: [], arguments: [] })
    })
    await assert.rejects(refused, /NO, it is too LATE/)
    assert.equal(await connection.run((client) => client.get('key')), null)
    await server.stop()
    await pause(100)

    const unsent = connection.runRepeatable((client) => {
      calls++
      return client.get('key')
    })

    await assert.rejects(unsent, { code: 'ERR_SESSION_STORE_UNREACHABLE' })
    assert.equal(calls, 1)
    connection.close()
  })

  it('rejects pending operations when it is closed', async () => {
    await using server = await RedisServer.start()
    const connection = await RedisConnection.open({ url: server.url, timeoutMilliseconds: 500 })
    server.pause()

    const pending = connection.run((client) => client.get('key'))
    connection.close()

    await assert.rejects(pending, Error)
    server.resume()
  })

  it('keeps no connection that opens after it was closed', async () => {
    await using server = await RedisServer.start()
    const connection = await RedisConnection.open({ url: server.url, timeoutMilliseconds: 500 })
    server.pause()
    await assert.rejects(connection.run((client) => client.get('key')))
    // It looks for another one, and the server that stands still takes it without a word.
    await pause(100)

    connection.close()
    server.resume()
    const isOpen = (): boolean => process.getActiveResourcesInfo().includes('TCPSocketWrap')
    for (let turn = 0; turn < 100 && isOpen(); turn++) await pause(20)

    assert.equal(isOpen(), false)
    await assert.rejects(connection.run((client) => client.get('key')))
  })

  it('stops reconnecting when it is closed', async () => {
    const server = await RedisServer.start()
    const connection = await RedisConnection.open({ url: server.url, timeoutMilliseconds: 500 })
    await server[Symbol.asyncDispose]()
    // By now it waits for a quarter of a second between two attempts.
    await pause(500)

    connection.close()
    await pause(50)

    const open = process
      .getActiveResourcesInfo()
      .filter((name) => name.startsWith('TCP') || name === 'Timeout')
    assert.deepEqual(open, [])
  })
})
