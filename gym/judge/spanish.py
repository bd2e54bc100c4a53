"""The Spanish lexicon of the rules (`language`)."""

from __future__ import annotations

from typing import Final

__all__ = ["LEXICON"]

LEXICON: Final = {
    "numbers": """
cero

dos
tres
cuatro
cinco
seis
siete
ocho
nueve
diez
once
doce
trece
catorce
quince
dieciséis
diecisiete
dieciocho
diecinueve
veinte
veintiuno
veintidós
veintitrés
veinticuatro
veinticinco
veintiséis
veintisiete
veintiocho
veintinueve
treinta
""",
    "empty": """
prisa rápido rápidamente pronto paciencia esperar espere espero segundo minuto hora rato poco seguro segura mal error
problema pregunta respuesta explicar explique explicarlo entender entiendo confirmar confirme comprobar continuar
continúe seguir siga empezar terminar terminado importante preocupe hablar persona compañero alguien nadie mostrar
intentar inténtelo detalle detalles pasar informado informada amable servicio equipo señor señora feliz contento
contenta encantado maravilla bonito elija elegir parezca mirar mirarlo verlo ver mire dese darse asegurarme asegúrese
salga nada primero segundo lado siguientes sigue olvide olvides hoy perdone perdona disculpe moment momento recuerdo
repito repetir nuevamente a al algo algún alguna alguno ante antes aquí así aún aunque bien cada casi como con contra
cual cuál cuando de del desde después donde dos durante e el él ella ellas ellos en entonces entre era es esa ese eso
esta está estas este esto estos está están fue gracias ha hace hacia han hasta hay he hola igual incluso la las le les
lo los luego más me mejor mi mis mismo misma mismos mismas mucho muchas muy nada ni no nos nosotros nuestra nuestro o
os otra otro otras otros para pero por porque pues que qué quien quién se sea según ser si sí sido sin sobre solo sólo
son su sus también tan te tengo ti tiene todo todos tu tus u un una unas uno unos usted ustedes va vale ya yo por
favor finalmente último luego continuación primero buenos buenas días tardes noches necesito quiero quisiera querría
puede podría puedo par dije dicho varias cosas cosa peticiones petición siguiente caso contrario posible hacer haga
hágalo hacerlo hecho datos dato nuevo nueva nuevos nuevas unico único única favor ayuda ayudar ayudarme decir creo
pienso espero sé perfecto genial estupendo claro bueno buen trata
""",
    "verbs": """
crear: crea, crear, agrega, agregar, añade, añadir, registra, registrar, inscribe, inscribir, apunta, apuntar, alta
crear: abre, abrir
reservar: reserva, reservar, aparta, apartar, apárta, apártame
cancelar: cancela, cancelar, anula, anular
borrar: borra, borrar, elimina, eliminar, quita, quitar, retira, retirar
baja: baja
cambiar: actualiza, actualizar, cambia, cambiar, modifica, modificar, corrige, pon, poner
buscar: busca, buscar, encuentra, encontrar, localiza, localizar
decir: dime, indica, indicar, informa, dígame, saber
pagar: paga, pagar, abona, abonar, pago
multar: multa, multar
prestar: presta, prestar, préstamo
renovar: renueva, renovar, prorroga, prorrogar, extiende, amplía
devolver: devuelve, devolver, devolución
enviar: envía, enviar, manda, mandar
""",
    "phrases": """
crear: da de alta, dar de alta
baja: da de baja, dar de baja
decir: cuál es, cuáles son, qué, cuánto, cuánta, cuántos, cuántas, quiero saber, me gustaría saber
multar: registra una multa
""",
    "imperative": r"""
[a-zà-ÿ]+[aer](?:[ ](?:de baja|de alta))?[ ](?:el|la|los|las|un|una|unos|unas|ese|esa)[ ]
[a-zà-ÿ]+[aer](?:[ ](?:de baja|de alta))?[ ](?:este|esta|mi|mis|todos|todas|al|a la)[ ]
""",
    "before": """
le: como máximo, como mucho, a lo sumo, no más de, no superior a, hasta, máximo, un máximo de, máximo de
le: no posterior a, no después de, a más tardar el, a más tardar, antes del final de, no cueste más de
le: con un límite de
ge: como mínimo, por lo menos, al menos, no menos de, no inferior a, mínimo, un mínimo de, mínimo de, no anterior a
ge: no antes de, a partir de, a partir del, desde
lt: menos de, menor que, menor a, menor de, inferior a, por debajo de, anterior a, anterior al, antes de, antes del
gt: más de, mayor que, mayor a, mayor de, superior a, por encima de, posterior a, posterior al, después de
gt: después del
ne: distinto de, distinta de, diferente de, diferente a, distinto a, que no sea
""",
    "after": """
le: como máximo, o menos, o antes, como mucho, a lo sumo, máximo, o anterior
ge: como mínimo, o más, o después, por lo menos, al menos, mínimo, o posterior
""",
    "ranks": """
min: más bajo, más baja, más antiguo, más antigua, más barato, más barata, más pequeño, más pequeña, menor, mínimo
min: mínima, más corto, más corta, más viejo, más vieja, menos, más temprana, más temprano
max: más alto, más alta, más reciente, más caro, más cara, más grande, mayor, máximo, máxima, más largo, más larga
max: más nuevo, más nueva, más tardía, más tardío
""",
    "ordinals": """
1: primer, primero, primera
2: segundo, segunda
3: tercer, tercero, tercera
4: cuarto, cuarta
5: quinto, quinta
""",
    "rank joint": r"^ (?:\w+ ){0,3}$",
    "signs": r"""
+ (?<!con )con[ ](?:el |la |un |una )?(?P<noun>\w+)
- sin[ ](?:el |la |ningún |ninguna )?(?P<noun>\w+)
+ (?:activa|activar|enciende|encender)[ ](?:el |la )?(?P<noun>\w+)
- (?:desactiva|desactivar|apaga|apagar)[ ](?:el |la )?(?P<noun>\w+)
+ (?P<noun>\w+)[ ](?:es |a |en )?(?:verdadero|activado|activada)
- (?P<noun>\w+)[ ](?:es |a |en )?(?:falso|desactivado|desactivada)
""",
    "asks": r"""
me falta
falta
faltan
necesitaría
me puede decir
me puede dar
me puede indicar
me podría decir
me podría dar
podría decirme
podría indicarme
podría darme
puede decirme
puede indicarme
puede darme
indíqueme
dígame
deme
facilíteme
facilite
dime
dame
necesito
necesitaría
hace falta
por favor, indique
indique
indica
y .{2,40} sería
""",
    "opens": """
cuál
cuáles
qué
cuánto
cuánta
cuántos
cuántas
cuándo
quién
dónde
""",
    "consents": r"""
le parece bien
está de acuerdo
si sigo
puedo seguir
lo hago
quiere que
desea que
procedo
continúo
confirma
me confirma
confirme
puede confirmar
es correcto
es correcta
correcto\?
está seguro
está segura
lo envío
la envío
sigo adelante
de acuerdo\?
está bien\?
le parece bien
sí/no
puedo proceder
puedo continuar
puedo realizarlo
""",
    "announces": r"""
empiezo con
empiezo
ahora mismo
mientras lo miro
un momento
un segundo
un instante
espere
enseguida
ahora mismo
ahora me encargo
ahora lo hago
voy a
vamos a
me pongo con
me encargo
estoy a punto
estoy en ello
estoy trabajando
mientras lo
procederé
lo tramito
deme un
déjeme
permítame
""",
    "closes": r"""
hay algo más
algo más
alguna otra cosa
otra cosa
en qué más
qué más
eso sería todo
es todo\?
sería todo
eso es todo\?
""",
    "refuses": r"""
no puedo
no me es posible
no es posible
no está permitido
no me está permitido
no tengo permiso
me es imposible
le paso con
le transfiero
le transferiré
le comunico con
con un compañero
con una persona
""",
    "denies": r"""
no lo tengo
no tengo idea
no me lo han
no tengo ninguno
no tengo ninguna
eso no lo sé
no lo sé
no la sé
no sé
no tengo
no lo tengo
no la tengo
no dispongo
ni idea
no estoy seguro
no estoy segura
no me acuerdo
no recuerdo
no lo recuerdo
no puedo decirle
no puedo decirlo
no puedo darle
lo desconozco
desconozco
no conozco
se me ha olvidado
lo he olvidado
prefiero no decirlo
""",
    "thanks": r"""
gran ayuda
qué rápido
gracias
agradezco
agradecido
agradecida
amable
adiós
hasta luego
hasta pronto
hasta otra
que tenga
buen día
cuídese
cuídate
un saludo
saludos
estupendo
genial
perfecto
qué bien
qué maravilla
nos vemos
""",
    "requests": r"""
si (?=el |la |los |las )
(?:me |le )?(?:puede|podría|puedes|podrías)(?: (?:también|además|usted|por favor))*
por favor,?(?: (?:también|además))*
(?:también |además )?(?:quiero|quisiera|querría|me gustaría) que(?: usted)?(?: (?:haga esto:?))?
(?:también |además |ah, )?(?:quiero|quisiera|querría|necesito|me gustaría) (?=un |una |unos |unas |otro |otra )
(?:le importaría|sería tan amable de|haga el favor de)
ayúdeme(?: a)?
además,?
también,?
""",
    "counted": r"""
cosas?
peticiones
petición
puntos?
preguntas?
minutos?
segundos?
veces
vez
temas?
asuntos?
favores
""",
    "negates": r"""
no
nunca
tampoco
sin
""",
    "lengths": r"""
noches?
días?
semanas?
""",
    "weeks": r"""
semanas?
""",
    "fallback": r"""
si eso no se puede
si no se puede
si eso no es posible
si no es posible
en caso contrario
si no
de lo contrario
""",
    "naming": r"""
nombre
llamado
llamada
llama
señor
señora
sr\.?
sra\.?
socio
cliente
soy
autor
es
""",
}
