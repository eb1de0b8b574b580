import { postAccountSettings } from './account-settings.ts'
import { postApiTokens } from './api-tokens.ts'
import { postInvite, postPasswordLink, postSetup } from './link-forms.ts'
import { enterLogin, enterSignIn, postLogin, postSignOut } from './login.ts'
import { postMembers } from './members.ts'
import { postedPage } from './page-form.ts'

/** The POST handlers of the pages with forms of accounts. */
export const pagePosts = {
  login: postedPage(postLogin, enterLogin),
  signOut: postedPage(postSignOut),
  setup: postedPage(postSetup),
  invite: postedPage(postInvite),
  password: postedPage(postPasswordLink),
  settings: postedPage(postAccountSettings, enterSignIn),
  members: postedPage(postMembers),
  tokens: postedPage(postApiTokens),
}
