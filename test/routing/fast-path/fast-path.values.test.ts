import { describe } from 'node:test'
import { module, PageController, router, table } from '../fixture.ts'
import { agree, answers } from './agreement.ts'

describe('Router.match() with values', () => {
  const shapes = table((routes) => {
    routes.get('/show/{slug}', [PageController, 'show'])
    routes.get('/show/{a}/{b}/end', [PageController, 'pair'])
    routes.get('/files/{path}', [PageController, 'files']).where('path', '.*')
    routes.get('/some/{path}', [PageController, 'file']).where('path', '[a-z]+/[a-z]+')
    routes.get('/some/{path}', [PageController, 'file']).where('path', '[a-z]+/[0-9]+')
    routes.get('/feed.{slug}', [PageController, 'show'])
    routes.get('/fork/{id}', [PageController, 'item']).where('id', '[0-9]+')
    routes.get('/fork/{slug}', [PageController, 'show'])
    routes.get('/fork/{path}', [PageController, 'file']).where('path', '.*')
    routes.get('/fork/7', [PageController, 'other'])
    routes.get('/fork/{a}/{b}', [PageController, 'pair']).where('a', '[0-9]+')
    routes.get('/{a}-{b}', [PageController, 'pair'])
    routes.get('/flag/{on}', [PageController, 'flag'])
    routes.post('/flag/{slug}', [PageController, 'edit'])
    routes.put('/flag/{id}', [PageController, 'item'])
  })
  const lookup = router([module('Shop', { convention: false, steps: [shapes] })])

  describe('takes one as it was sent', () => {
    answers(lookup, {
      '/shop/show/a': 'Shop PageController.show("a")',
      '/shop/show/&': 'Shop PageController.show("&")',
      '/shop/show/~': 'Shop PageController.show("~")',
      '/shop/show/a&~': 'Shop PageController.show("a&~")',
      '/shop/show/...': 'Shop PageController.show("...")',
      '/shop/show/a.': 'Shop PageController.show("a.")',
      '/shop/show/a/': 'Shop PageController.show("a")',
      '/shop/show': '404',
      '/shop/show/a/b': '404',
    })
  })

  describe('is not misled by one that is to be decoded, or is none', () => {
    agree(lookup, [
      '/shop/show/%',
      '/shop/show/a%41',
      '/shop/show/\u007f',
      '/shop/show/a\u007f',
      '/shop/show/.',
      '/shop/show/..',
      '/shop/show/../a',
      '/shop/show//',
      '/shop/show//b/end',
      '/shop/show/a//end',
      '/shop/show/a/%/end',
    ])
  })

  describe('takes the rest as it was sent', () => {
    answers(lookup, {
      '/shop/files/a': 'Shop PageController.files("a")',
      '/shop/files/a/b/c': 'Shop PageController.files("a", "b", "c")',
      '/shop/files/a/b/': 'Shop PageController.files("a", "b")',
      '/shop/files/a.b/c.': 'Shop PageController.files("a.b", "c.")',
      '/shop/files/&/~': 'Shop PageController.files("&", "~")',
      '/shop/some/a/b': 'Shop PageController.file("a/b")',
      '/shop/some/a/7': 'Shop PageController.file("a/7")',
      '/shop/some/a/-': '404',
      '/shop/some/a': '404',
      '/shop/files': '404',
      '/shop/files/': '404',
    })
  })

  describe('is not misled by a rest that is to be decoded, or is no path', () => {
    agree(lookup, [
      '/shop/files/%',
      '/shop/files/a/%41',
      '/shop/files/a/\u007f',
      '/shop/files/.',
      '/shop/files/a/..',
      '/shop/files//',
      '/shop/files/a//b',
      '/shop/files/a//',
    ])
  })

  describe('chooses between ways', () => {
    answers(lookup, {
      '/shop/fork/7': 'Shop PageController.other()',
      '/shop/fork/8': 'Shop PageController.item(8)',
      '/shop/fork/a': 'Shop PageController.show("a")',
      '/shop/fork/a/b': 'Shop PageController.file("a/b")',
      '/shop/fork/7/b': 'Shop PageController.pair("7", "b")',
      '/shop/fork/7/b/c': 'Shop PageController.file("7/b/c")',
      '/shop/feed.xml': 'Shop PageController.show("xml")',
      '/shop/feed.': '404',
      '/shop/a-b': 'Shop PageController.pair("a", "b")',
      '/shop/a-': '404',
      '/shop/-b': '404',
    })
    agree(lookup, ['/shop/fork/%37', '/shop/a-%'])
  })

  describe('tells the methods whose arguments fit', () => {
    answers(lookup, {
      '/shop/flag/true': 'Shop PageController.flag(true)',
      '/shop/flag/7': '405 POST, PUT',
      '/shop/flag/x': '405 POST',
      'PUT /shop/flag/7': 'Shop PageController.item(7)',
      'PUT /shop/flag/x': '405 POST',
      'PUT /shop/flag/true': '405 GET, HEAD, POST',
      'HEAD /shop/flag/true': 'Shop PageController.flag(true)',
      'HEAD /shop/flag/x': '405 POST',
    })
  })
})
