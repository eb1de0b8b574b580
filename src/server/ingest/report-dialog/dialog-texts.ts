/** The texts of the dialog, under the names of the options that replace them in `showReportDialog()`. */
export interface DialogTexts {
  title: string
  subtitle: string
  subtitle2: string
  labelName: string
  labelEmail: string
  labelComments: string
  labelClose: string
  labelSubmit: string
  errorGeneric: string
  errorFormEntry: string
  successMessage: string
}

/**
 * By language; the visitor reads the language of the page. English is what every other language falls back
 * to.
 */
export const dialogTexts: { readonly en: DialogTexts; readonly [language: string]: DialogTexts } = {
  en: {
    title: 'It looks like we’re having issues.',
    subtitle: 'Our team has been notified.',
    subtitle2: 'If you’d like to help, tell us what happened below.',
    labelName: 'Name',
    labelEmail: 'Email',
    labelComments: 'What happened?',
    labelClose: 'Close',
    labelSubmit: 'Submit crash report',
    errorGeneric: 'Your report could not be sent. Please try again in a minute.',
    errorFormEntry: 'Some fields were invalid. Please correct them and try again.',
    successMessage: 'Your report has been sent. Thank you!',
  },
  de: {
    title: 'Hier ist etwas schiefgegangen.',
    subtitle: 'Unser Team wurde benachrichtigt.',
    subtitle2: 'Wenn Sie helfen möchten, beschreiben Sie bitte, was passiert ist.',
    labelName: 'Name',
    labelEmail: 'E-Mail',
    labelComments: 'Was ist passiert?',
    labelClose: 'Schließen',
    labelSubmit: 'Bericht senden',
    errorGeneric: 'Ihr Bericht konnte nicht gesendet werden. Bitte versuchen Sie es in einer Minute erneut.',
    errorFormEntry: 'Einige Felder sind ungültig. Bitte korrigieren Sie sie und senden Sie erneut.',
    successMessage: 'Ihr Bericht wurde gesendet. Vielen Dank!',
  },
  es: {
    title: 'Parece que tenemos problemas.',
    subtitle: 'Nuestro equipo ha sido avisado.',
    subtitle2: 'Si quieres ayudar, cuéntanos qué ha pasado.',
    labelName: 'Nombre',
    labelEmail: 'Correo electrónico',
    labelComments: '¿Qué ha pasado?',
    labelClose: 'Cerrar',
    labelSubmit: 'Enviar informe',
    errorGeneric: 'No se pudo enviar el informe. Inténtalo de nuevo dentro de un minuto.',
    errorFormEntry: 'Algunos campos no son válidos. Corrígelos e inténtalo de nuevo.',
    successMessage: 'El informe se ha enviado. ¡Gracias!',
  },
  fr: {
    title: 'Un problème est survenu.',
    subtitle: 'Notre équipe a été prévenue.',
    subtitle2: 'Si vous souhaitez nous aider, dites-nous ce qui s’est passé.',
    labelName: 'Nom',
    labelEmail: 'E-mail',
    labelComments: 'Que s’est-il passé ?',
    labelClose: 'Fermer',
    labelSubmit: 'Envoyer le rapport',
    errorGeneric: 'Votre rapport n’a pas pu être envoyé. Veuillez réessayer dans une minute.',
    errorFormEntry: 'Certains champs ne sont pas valides. Veuillez les corriger et réessayer.',
    successMessage: 'Votre rapport a été envoyé. Merci !',
  },
  it: {
    title: 'Si è verificato un problema.',
    subtitle: 'Il nostro team è stato avvisato.',
    subtitle2: 'Se vuoi aiutarci, raccontaci cosa è successo.',
    labelName: 'Nome',
    labelEmail: 'Email',
    labelComments: 'Che cosa è successo?',
    labelClose: 'Chiudi',
    labelSubmit: 'Invia segnalazione',
    errorGeneric: 'Non è stato possibile inviare la segnalazione. Riprova tra un minuto.',
    errorFormEntry: 'Alcuni campi non sono validi. Correggili e riprova.',
    successMessage: 'La segnalazione è stata inviata. Grazie!',
  },
  nl: {
    title: 'Er is iets misgegaan.',
    subtitle: 'Ons team is op de hoogte gebracht.',
    subtitle2: 'Als je wilt helpen, vertel ons dan wat er is gebeurd.',
    labelName: 'Naam',
    labelEmail: 'E-mail',
    labelComments: 'Wat is er gebeurd?',
    labelClose: 'Sluiten',
    labelSubmit: 'Melding versturen',
    errorGeneric: 'Je melding kon niet worden verstuurd. Probeer het over een minuut opnieuw.',
    errorFormEntry: 'Sommige velden zijn ongeldig. Verbeter ze en probeer het opnieuw.',
    successMessage: 'Je melding is verstuurd. Bedankt!',
  },
  pl: {
    title: 'Coś poszło nie tak.',
    subtitle: 'Nasz zespół został powiadomiony.',
    subtitle2: 'Jeśli chcesz pomóc, napisz nam, co się stało.',
    labelName: 'Imię i nazwisko',
    labelEmail: 'E-mail',
    labelComments: 'Co się stało?',
    labelClose: 'Zamknij',
    labelSubmit: 'Wyślij zgłoszenie',
    errorGeneric: 'Nie udało się wysłać zgłoszenia. Spróbuj ponownie za minutę.',
    errorFormEntry: 'Niektóre pola są nieprawidłowe. Popraw je i spróbuj ponownie.',
    successMessage: 'Zgłoszenie zostało wysłane. Dziękujemy!',
  },
  pt: {
    title: 'Parece que algo deu errado.',
    subtitle: 'Nossa equipe foi avisada.',
    subtitle2: 'Se quiser ajudar, conte o que aconteceu.',
    labelName: 'Nome',
    labelEmail: 'E-mail',
    labelComments: 'O que aconteceu?',
    labelClose: 'Fechar',
    labelSubmit: 'Enviar relatório',
    errorGeneric: 'Não foi possível enviar o relatório. Tente novamente em um minuto.',
    errorFormEntry: 'Alguns campos são inválidos. Corrija-os e tente novamente.',
    successMessage: 'Seu relatório foi enviado. Obrigado!',
  },
  ja: {
    title: '問題が発生しました。',
    subtitle: '開発チームに通知されました。',
    subtitle2: 'よろしければ、何が起きたかを下記にご記入ください。',
    labelName: 'お名前',
    labelEmail: 'メールアドレス',
    labelComments: '何が起きましたか？',
    labelClose: '閉じる',
    labelSubmit: '報告を送信',
    errorGeneric: '報告を送信できませんでした。1分後にもう一度お試しください。',
    errorFormEntry: '入力内容に誤りがあります。修正してもう一度お試しください。',
    successMessage: '報告を送信しました。ありがとうございます。',
  },
  zh: {
    title: '出现了问题。',
    subtitle: '我们的团队已收到通知。',
    subtitle2: '如果您愿意提供帮助，请在下方告诉我们发生了什么。',
    labelName: '姓名',
    labelEmail: '电子邮箱',
    labelComments: '发生了什么？',
    labelClose: '关闭',
    labelSubmit: '提交报告',
    errorGeneric: '报告未能发送。请稍后再试。',
    errorFormEntry: '部分内容无效。请更正后重试。',
    successMessage: '报告已发送。谢谢！',
  },
}
