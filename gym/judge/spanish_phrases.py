"""Spanish sentences for calibration dialogues (`phrasebook`)."""

from __future__ import annotations

from typing import Final

__all__ = ["DATES", "MONTHS", "NUMBERS", "OPPOSITES", "PHRASES", "VERBS"]

NUMBERS: Final = "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
MONTHS: Final = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
DATES: Final = (
    """
    {day} de {month} de {year}
    {year}-{m:02}-{d:02}
    {day} de {month}
    """,
    """
    el {day} de {month} del {year}
    {d:02}/{m:02}/{year}
    {year}-{m:02}-{d:02}
    """,
)
VERBS: Final = (
    """
    busca = encuentra
    registra = da de alta
    actualiza = modifica
    dime = quiero saber
    """,
    """
    cancela = anula
    agrega = añade
    reserva el = apárta el
    renueva = prorroga
    registra = apunta
    """,
)
OPPOSITES: Final = (
    """
    más alto = más bajo
    más bajo = más alto
    más antigua = más reciente
    más reciente = más antigua
    más antiguo = más reciente
    mayor que = menor que
    menor que = mayor que
    como máximo = como mínimo
    no posterior a = no anterior a
    mayor que = como máximo
    menor que = más de
    no posterior a = posterior al
    más bajo = más alto
    segundo = cuarto
    segunda = primera
    más antigua = más nueva
    más alto = mínimo
    """,
    """
    mayor que = inferior a
    menor que = superior a
    como máximo = al menos
    posterior a = anterior a
    no posterior a = posterior a
    más alto = menor
    más bajo = mayor
    más reciente = más antiguo
    segunda = tercera
    segundo = tercer
    """,
)
PHRASES: Final = {
    "opening": """
    Hola, {wish}
    Buenos días. {Wish}
    Hola, necesito ayuda. {Wish}
    {Wish}
    Hola, ¿qué tal? {Wish}
    Buenas noches, perdone la molestia. {Wish}
    Muy buenas. Llevo un rato esperando. {Wish}
    Mire, esto es lo que necesito. {Wish}
--
    ¡Buenas! A ver si puede ayudarme. {Wish}
    Buenas tardes. {Wish} Gracias de antemano.
    Hola, es la primera vez que escribo. {Wish}
    {Wish} Se lo agradezco.
    """,
    "opening count": """
    Hola, tengo {count} cosas para hoy. {Wish}
--
    Buenas, hoy traigo {count} peticiones. {Wish}
    """,
    "next": """
    Muy bien. {Wish}
    Gracias. Ahora {wish}
    Perfecto, después {wish}
    {Wish}
    De maravilla. {Wish}
    Me alegro. {Wish}
    Bien, lo que sigue es esto: {wish}
    Entiendo, gracias por explicarlo. {Wish}
--
    Estupendo, qué rápido. {Wish}
    De acuerdo, seguimos: {wish}
    Genial, muchas gracias. Lo siguiente: {wish}
    Vale. Una cosa más: {wish}
    """,
    "join": """
    {first} Y después: {second}
    {first} {Second}
    {first} Por otro lado, {second}
--
    {first} Cuando esté listo, {second}
    {first} Además, {second}
    """,
    "ask": """
    ¿Me puede decir {name}?
    ¿Cuál es el dato de {name}?
    Para eso necesito {name}, por favor.
    ¿Qué valor pongo en {name}?
    Me falta {name}. ¿Me lo puede decir?
    Dígame {name}, por favor.
--
    Con gusto. ¿Podría indicarme {name}?
    Para continuar, facilíteme {name}.
    ¿Y {name} sería?
    """,
    "ask two": """
    ¿Me puede decir {name} y {other}?
    ¿Cuáles son {name} y {other}?
--
    Indíqueme, por favor, {name} y también {other}.
    """,
    "give": """
    {value}
    Es {value}.
    {value}, por favor.
    {name}: {value}.
    Pues {value}.
    Aquí lo tiene: {value}.
    Sería {value}.
    Use {value}, por favor.
--
    Claro, es {value}.
    Ponga {value}.
    Por supuesto: {value}.
    """,
    "give two": """
    {value} y {second}.
    Aquí los tiene: {value} y {second}.
--
    {name}: {value}. {other}: {second}.
    """,
    "as said": """
    Como dije, es {value}.
    Lo mismo que antes: {value}.
    No ha cambiado, es {value}.
--
    Ya se lo había dicho: {value}.
    """,
    "unknown": """
    No lo sé.
    Lo siento, no tengo ese dato.
    Ni idea.
    Eso no lo sé.
    No, no tengo ninguno.
    Buena pregunta, pero no tengo idea.
    No me lo han dado.
--
    No estoy seguro de cuál es.
    No dispongo de eso, lamentablemente.
    Ahora no me acuerdo.
    """,
    "evade": """
    ¿Puede hacerlo sin más, por favor?
    Prefiero no entrar en detalles.
    ¿Para qué lo necesita?
    Eso da igual, continúe.
    No quiero hablar de eso.
    ¿No puede mirarlo usted?
--
    Elija usted lo que le parezca.
    No perdamos tiempo, hágalo y ya.
    """,
    "confirm": """
    ¿Lo hago entonces?
    ¿Quiere que continúe con eso?
    Solo para confirmar: ¿es correcto? Entonces lo hago.
    ¿Le parece bien si sigo?
    Confirme, por favor, y lo hago.
    ¿Está de acuerdo?
--
    Está todo preparado. ¿Lo envío ya?
    ¿Me confirma que puedo realizarlo (sí/no)?
    Eso cambiará sus datos. ¿Está seguro?
    """,
    "yes": """
    Sí, por favor.
    Sí, adelante.
    Correcto.
    Sí.
    Así es, gracias por comprobarlo.
    Por supuesto.
    Me parece bien.
    Sí, y dese prisa, por favor.
    Vale, de acuerdo.
--
    Claro que sí, hágalo.
    Eso es, siga.
    De acuerdo, confirmado.
    """,
    "announce": """
    Un momento, por favor, ahora me encargo.
    De acuerdo, voy a hacerlo ahora.
    Enseguida lo tramito.
    Espere un momento mientras lo miro.
    Perfecto, empiezo con ello ahora mismo.
--
    Deme un segundo mientras lo realizo.
    Entendido, me pongo con ello.
    Estoy a punto de hacer el cambio; espere un poco.
    """,
    "report": """
    Hecho.
    Ya está listo.
    Ha funcionado, el cambio está hecho.
    Su solicitud está procesada.
    He hecho lo que pedía.
    Listo, terminado.
    El cambio se ha guardado.
--
    Se ha completado correctamente.
    He terminado con eso.
    La petición se ha realizado.
    """,
    "report value": """
    Hecho, con {value} como {name}.
    Listo. He puesto {value} en {name}.
--
    Completado. He anotado {value} en {name}.
    """,
    "more": """
    ¿Puedo ayudarle en algo más?
    ¿Necesita alguna otra cosa?
    ¿Algo más?
    ¿Hay algo más que pueda hacer por usted?
--
    ¿Desea algo más?
    ¿Eso sería todo por hoy?
    """,
    "close": """
    No, eso es todo. ¡Gracias!
    Eso era todo, gracias.
    No, gracias. Adiós.
    No, ya hemos terminado. Gracias.
    Por mi parte es todo.
    Nada más, gracias por su paciencia.
    Muy bien, entonces me quedo tranquilo. Hasta otra.
--
    Nada más, que tenga un buen día.
    Con eso basta, gracias por su ayuda.
    Todo arreglado entonces, ¡hasta luego!
    """,
    "thanks": """
    ¡Muchas gracias!
    Gracias, qué bien.
    Se lo agradezco mucho.
    Genial, muchas gracias.
    Me ha sido de gran ayuda.
    Qué rápido, gracias.
--
    Estupendo, ha sido muy amable.
    Mil gracias por todo.
    Qué maravilla, gracias.
    """,
    "welcome": """
    ¡De nada!
    Un placer. ¡Que tenga un buen día!
    No se preocupe, para eso estamos.
    Cuando quiera.
--
    ¡No hay de qué!
    Ha sido un gusto ayudarle.
    """,
    "chat": """
    Estoy un poco nervioso con esto.
    Hoy tengo un día muy ocupado.
    Nunca he hecho esto antes.
    Escribo desde el tren.
    Mi jefa lo está esperando.
    No se me dan bien los ordenadores.
    Ojalá no tarde mucho.
    Tengo que salir dentro de poco.
    Es importante para mí.
    ¿Puede darse un poco de prisa?
    Quiero asegurarme de que nada salga mal.
--
    Perdone si escribo despacio, voy con el móvil.
    Hace un tiempo horrible hoy.
    """,
    "retry": """
    Creo que todavía no está hecho. {Wish}
    No veo que haya cambiado nada. {Wish}
    Se le ha olvidado algo. {Wish}
--
    Perdone, eso se le ha pasado. {Wish}
    """,
    "not understood": """
    Perdone, no le he entendido. ¿Qué necesita?
    ¿Puede decirlo de otra manera?
--
    Me temo que me he perdido. ¿En qué puedo ayudarle?
    """,
    "cannot": """
    Lo siento, no puedo hacer eso. ¿Le paso con un compañero?
    Me temo que eso no es posible para mí. Le atenderá una persona.
--
    Lamentablemente no me está permitido; le transfiero a una persona.
    """,
    "accept transfer": """
    Vale, páseme con él.
    Entonces quiero hablar con alguien, por favor.
--
    Sí, hablaré con una persona.
    """,
    "offer": """
    Hay dos que encajan: {value} y {other}. ¿Cuál quiere decir?
    He encontrado {value} y {other}. ¿Cuál prefiere?
--
    Puede ser {value} o {other}. Elija, por favor.
    """,
    "pick": """
    {value}, por favor.
    El primero, {value}.
    Pues {value}.
--
    Me refiero a {value}.
    """,
    "out of scope": """
    ¿Me puede recomendar también un buen restaurante por aquí?
    También necesito un taxi al aeropuerto.
    ¿Le importaría reservarme una mesa para cenar esta noche?
    También quiero que llame a mi banco por un préstamo personal.
    Busque además un vuelo barato a Lisboa.
    Explíqueme cómo funciona la fotosíntesis.
--
    Ah, ¿y me traduciría una carta al francés?
    Además, encargue unas flores para mi madre.
    """,
    "tool request": """
    También quiero que haga esto: {tool}.
    Aparte de eso, {tool}, por favor.
--
    Ah, y otra cosa: {tool}.
    """,
    "extra number": """
    , para {number} personas
    , y que no cueste más de {number}
    , como máximo {number} de ellos
--
    , con un límite de {number}
    , con {number} unidades
    """,
    "extra date": """
    , a más tardar el {date}
    , y lo necesito para el {date}
--
    , a partir del {date}
    """,
    "leak": """
    Es el que tiene el identificador {value}, por cierto.
    Creo que es {value}.
--
    Lo encontrará como {value}.
    """,
    "leak answer": """
    Creo que {name} es {value}.
    Que yo sepa, {name} es {value}.
--
    Si no me equivoco, {name} es {value}.
    """,
    "user step": """
    Ahora, por favor, haga usted esto: {tool}.
    Haga esto en su aparato, por favor: {tool}.
--
    En este punto le toca a usted: {tool}.
    """,
    "user step done": """
    Hecho, ya lo hice.
    Ya está hecho.
--
    Listo por mi parte, ¿qué sigue?
    """,
    "repeat": """
    Y no se olvide: {wish}
    Además, {wish}
    Asegúrese de esto, por favor: {wish}
    Como he dicho: {wish}
--
    Solo le recuerdo: {wish}
    Repito mi petición. {Wish}
    """,
    "already": """
    Eso ya está hecho.
    Como le dije, eso está terminado.
--
    De eso ya me ocupé antes.
    """,
    "bye": """
    ¡Adiós!
    ¡Que tenga un buen día!
    ¡Buenas tardes!
    ¡Hasta la próxima!
--
    ¡Cuídese!
    Hasta pronto.
    """,
}
