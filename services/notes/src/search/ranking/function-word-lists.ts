/**
 * Function and question words of the languages that notes are mostly written in. They are rare in notes and frequent in
 * questions, so their rarity says nothing. The first five lists are those of Snowball (BSD licence), with question words
 * and auxiliaries added.
 */
export const functionWordLists: Readonly<Record<string, string>> = {
  english: `
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves what which who whom this that these those am is
    are was were be been being have has had having do does did doing a an the and but if or because as until
    while of at by for with about against between into through during before after above below to from up down
    in out on off over under again further then once here there when where why how all any both each few more
    most other some such no nor not only own same so than too very s t can will just don should now could
    would shall may might must us whose much many also yet ever whether isn wasn weren aren doesn didn hasn
    haven hadn won wouldn couldn shouldn ll ve re d m`,
  german: `
    aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes anderm
    andern anderr anders auch auf aus bei bin bis bist da damit dann der den des dem die das daß derselbe
    derselben denselben desselben demselben dieselbe dieselben dasselbe dazu dein deine deinem deinen deiner
    deines denn derer dessen dich dir du dies diese diesem diesen dieser dieses doch dort durch ein eine einem
    einen einer eines einig einige einigem einigen einiger einiges einmal er ihn ihm es etwas euer eure eurem
    euren eurer eures für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich mich mir ihr ihre
    ihrem ihren ihrer ihres euch im in indem ins ist jede jedem jeden jeder jedes jene jenem jenen jener jenes
    jetzt kann kein keine keinem keinen keiner keines können könnte machen man manche manchem manchen mancher
    manches mein meine meinem meinen meiner meines mit muss musste nach nicht nichts noch nun nur ob oder ohne
    sehr sein seine seinem seinen seiner seines selbst sich sie ihnen sind so solche solchem solchen solcher
    solches soll sollte sondern sonst über um und uns unse unsem unsen unser unses unter viel vom von vor
    während war waren warst was weg weil weiter welche welchem welchen welcher welches wenn werde werden wie
    wieder will wir wird wirst wo wollen wollte würde würden zu zum zur zwar zwischen wer wen wem wessen wann
    warum weshalb wieso wieviel woher wohin womit wofür wovon wodurch worauf worüber wozu woran darf dürfen
    durfte müssen mussten müsste gibt wurde wurden worden sei seien seit schon etwa eigentlich beim ans ums
    habt hätte hätten könnt konnten konnte sollen sollten wären wäre möchte bitte`,
  french: `
    au aux avec ce ces dans de des du elle en et eux il je la le leur lui ma mais me même mes moi mon ne nos
    notre nous on ou par pas pour qu que qui sa se ses son sur ta te tes toi ton tu un une vos votre vous c d
    j l à m n s t y été étée étées étés étant étante étants étantes suis es est sommes êtes sont serai seras
    sera serons serez seront serais serait serions seriez seraient étais était étions étiez étaient fus fut
    fûmes fûtes furent sois soit soyons soyez soient fusse fusses fût fussions fussiez fussent ayant ayante
    ayantes ayants eu eue eues eus ai as avons avez ont aurai auras aura aurons aurez auront aurais aurait
    aurions auriez auraient avais avait avions aviez avaient eut eûmes eûtes eurent aie aies ait ayons ayez
    aient eusse eusses eût eussions eussiez eussent quoi quel quelle quels quelles quand comment combien
    pourquoi où lequel laquelle lesquels lesquelles a si plus cette cet ceux celle celles celui dont ils elles
    leurs donc chez sans sous entre depuis faut peut peuvent doit doivent fait lors selon`,
  spanish: `
    de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí
    porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno
    les ni contra otros ese eso ante ellos e esto mí antes algunos qué unos yo otro otras otra él tanto esa
    estos mucho quienes nada muchos cual poco ella estar estas algunas algo nosotros mi mis tú te ti tu tus
    ellas nosotras os mío mía míos mías tuyo tuya tuyos tuyas suyo suya suyos suyas nuestro nuestra nuestros
    nuestras vuestro vuestra vuestros vuestras esos esas estoy estás está estamos estáis están esté estés
    estemos estéis estén estaré estarás estará estaremos estaréis estarán estaría estarías estaríamos
    estaríais estarían estaba estabas estábamos estabais estaban estuve estuviste estuvo estuvimos estuvisteis
    estuvieron estuviera estuvieras estuviéramos estuvierais estuvieran estuviese estuvieses estuviésemos
    estuvieseis estuviesen estando estado estada estados estadas estad he has ha hemos habéis han haya hayas
    hayamos hayáis hayan habré habrás habrá habremos habréis habrán habría habrías habríamos habríais habrían
    había habías habíamos habíais habían hube hubiste hubo hubimos hubisteis hubieron hubiera hubieras
    hubiéramos hubierais hubieran hubiese hubieses hubiésemos hubieseis hubiesen habiendo habido habida
    habidos habidas soy eres es somos sois son sea seas seamos seáis sean seré serás será seremos seréis serán
    sería serías seríamos seríais serían era eras éramos erais eran fui fuiste fue fuimos fuisteis fueron
    fuera fueras fuéramos fuerais fueran fuese fueses fuésemos fueseis fuesen tengo tienes tiene tenemos
    tenéis tienen tenga tengas tengamos tengáis tengan tendré tendrás tendrá tendremos tendréis tendrán
    tendría tendrías tendríamos tendríais tendrían tenía tenías teníamos teníais tenían tuve tuviste tuvo
    tuvimos tuvisteis tuvieron tuviera tuvieras tuviéramos tuvierais tuvieran tuviese tuvieses tuviésemos
    tuvieseis tuviesen teniendo tenido tenida tenidos tenidas tened quién quiénes cuándo dónde cómo cuánto
    cuánta cuántos cuántas cuál cuáles porqué si puede pueden debe deben hace según cada`,
  russian: `
    и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от
    меня еще нет о из ему теперь когда даже ну вдруг ли если уже или ни быть был него до вас нибудь опять уж
    вам ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без
    будто чего раз тоже себе под будет ж тогда кто этот того потому этого какой совсем ним здесь этом один
    почти мой тем чтобы нее сейчас были куда зачем всех никогда можно при наконец два об другой хоть после над
    больше тот через эти нас про всего них какая много разве три эту моя впрочем свою этой перед иногда лучше
    чуть том нельзя такой им более всегда всю между какое какие каких каким какую кому кого кем чему чей чья
    чьё сколько почему откуда который которая которое которые которых которой котором это эта нам нами наш
    наша наше наши наших нашей является будут должен должна должны либо также`,
  japanese: `
    です ます でし ました ません でした どこ いつ 何 なに なん なぜ 誰 だれ どう どの どれ どんな どうして いくら
    いくつ した する して し され された される れる られる いる ある あり い あっ ため こと もの これ それ あれ
    この その あの から まで より では には とは へは について として による なる なっ なった 私 私たち 何時
    どのくらい どのように のか のは ので のに けど でも など だけ ほど か ください`,
  chinese: `
    什么 怎么 怎样 怎么样 如何 为什么 为何 哪里 哪儿 哪个 哪些 哪 谁 几 多少 何时 什么时候 时候 的 了 是 在 和 与
    及 或 吗 呢 吧 啊 我们 我 你 你们 他 她 它 他们 这 那 这个 那个 这些 那些 有 没有 会 要 把 被 给 对 从
    到 就 都 也 还 很 不 之 其 以 为 于 地 得 着 过 请 问 请问 是否 以及 因为 所以 如果 但是`,
  thai: `
    คือ อะไร ที่ไหน ไหน เมื่อไหร่ เมื่อไร เมื่อ ทำไม อย่างไร ยังไง ใคร
    กี่ เท่าไหร่ เท่าไร เท่าใด ที่ ของ และ หรือ ใน จาก ให้ ได้ เป็น มี
    ไม่ จะ ว่า กับ แล้ว ก็ นี้ นั้น เรา เขา คุณ ฉัน ผม มัน ไป มา อยู่
    ต้อง ควร ถูก โดย ด้วย ตาม ถึง เพื่อ เพราะ ซึ่ง อัน ความ การ ไหม
    หรือไม่ บ้าง ใด`,
};
