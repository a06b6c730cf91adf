import { defineModule } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { AccountController } from './account-controller.ts'
import { ArticleController } from './article-controller.ts'
import { RequireUser } from './identity.ts'

/** The pages. */
export const site = defineModule('Site', (module) =>
  module
    .mount('/')
    .middleware(CsrfMiddleware)
    .routes((routes) => {
      routes.get('/', [ArticleController, 'home']).name('home')
      routes.get('/article/{slug}', [ArticleController, 'show']).name('article')
      routes.get('/profile/{username}', [ArticleController, 'profile']).name('profile')
      routes.get('/profile/{username}/favorites', [ArticleController, 'favorites']).name('favorites')
      routes.get('/login', [AccountController, 'login']).name('login')
      routes.post('/login', [AccountController, 'submitLogin'])
      routes.get('/register', [AccountController, 'register']).name('register')
      routes.post('/register', [AccountController, 'submitRegister'])
      routes.middleware(RequireUser).group((guarded) => {
        guarded.post('/logout', [AccountController, 'logout']).name('logout')
        guarded.get('/settings', [AccountController, 'settings']).name('settings')
        guarded.post('/settings', [AccountController, 'submitSettings'])
        guarded.get('/editor', [ArticleController, 'write']).name('editor')
        guarded.post('/editor', [ArticleController, 'submitWrite'])
        guarded.get('/editor/{slug}', [ArticleController, 'edit']).name('edit')
        guarded.post('/editor/{slug}', [ArticleController, 'submitEdit'])
        guarded.delete('/article/{slug}', [ArticleController, 'remove'])
        guarded.post('/article/{slug}/favorite', [ArticleController, 'favorite']).name('favorite')
        guarded.delete('/article/{slug}/favorite', [ArticleController, 'unfavorite'])
        guarded.post('/article/{slug}/comments', [ArticleController, 'comment']).name('comments')
        guarded.delete('/article/{slug}/comments/{id}', [ArticleController, 'removeComment']).name('comment')
        guarded.post('/profile/{username}/follow', [ArticleController, 'follow']).name('follow')
        guarded.delete('/profile/{username}/follow', [ArticleController, 'unfollow'])
      })
    }),
)
