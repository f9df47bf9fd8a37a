package shop

import java.util.HashMap

// What a patch has to keep: each form is a lock, or a way in or out of one.

@Synchronized
fun top(): Int {
    return 1
}

private val topLock = Any()

fun topBlock(): Int = synchronized(topLock) { 5 }

class Box(
    private val map: HashMap<String, Int>,
) {
    private val lock = Any()
    private val other: Any = Any() // a lock of its own
    private val names = ArrayList<String>()
    var n = 0
        @Synchronized get() = field
        @Synchronized set(value) {
            // synchronized, as the getter is
            field = value
        }

    @get:Synchronized
    val size: Int
        get() = map.size

    fun put(name: String) {
        synchronized(names) {
            names += "entry: $name"
            map[name] = names.size
        }
    }

    fun two(): Int {
        val x = synchronized(lock) {
            if (map.isEmpty()) return 3
            if (map.size == 1) return@synchronized 7
            map.size
        }
        return x
    }

    fun labelled() = synchronized(lock) out@{
        listOf(1, 2).forEach { if (it == 2) return@out it }
        0
    }

    fun viaName() = synchronized(this.other) { map.size }

    fun lambdas(): String {
        val said = StringBuilder()
        listOf(1, 2).forEach {
            synchronized(this) {
                said.append("it is ${synchronized(lock) { it }}, ")
            }
        }
        Runnable { synchronized(this@Box) { said.append("run") } }.run()
        return said.toString()
    }

    fun lateInit(): Int {
        val y: Int
        synchronized(lock) { y = 4 }
        return y
    }

    fun unwound(fails: Boolean): String =
        try {
            synchronized(lock) {
                if (fails) throw IllegalStateException("failed")
                "fine"
            }
        } catch (e: IllegalStateException) {
            "${e.message} and free"
        }

    @Synchronized @JvmOverloads
    fun over(a: Int = 1, b: Int = 2) = a + b

    @Synchronized fun String.extended(): Int = length
        .plus(1)
        .plus(2)

    @Synchronized fun loops(limit: Int): Int {
        var i = 0
        while (true) {
            if (++i > limit) return i
        }
    }

    companion object {
        private val cl = Any()
        @Synchronized fun c1() = 1
        fun c3() = synchronized(cl) { 1 }
    }

    fun useCl() = synchronized(cl) { 2 }
    fun useComp() = synchronized(Box) { 2 }
}

object Register {
    private val lines = ArrayList<String>()

    @Synchronized
    fun raw() = """
        raw ${lines.size}
          text
    """

    @JvmStatic @Synchronized fun static() = 2
    internal fun add(line: String) = synchronized(lines) { lines.add(line) }
}

interface Counting {
    fun count(): Int
}

class Counter : Counting {
    private var n = 0

    @Synchronized
    override fun count() = ++n
}

class Delegating(private val of: Counting) : Counting by of {
    private var more = 0

    @Synchronized
    fun more() = ++more + 10
}

class Words : List<String> by listOf("a", "b"), Comparable<String> by ("c") {
    @Synchronized
    fun all() = size
}

object Locks {
    @JvmStatic
    fun main(args: Array<String>) {
        val box = Box(HashMap())
        println(box.two())
        box.put("a")
        box.n = 4
        println("${box.two()} ${box.labelled()} ${box.viaName()} ${box.lambdas()} ${box.lateInit()}")
        println("${box.unwound(true)} ${box.unwound(false)} ${box.over()} ${box.n} ${box.size}")
        println(with(box) { "abc".extended() } + box.loops(3) + top() + topBlock())
        println("${Box.c1()} ${Box.c3()} ${box.useCl()} ${box.useComp()}")
        println("${Delegating(Counter()).more()} ${Words().all()}")
        println("${Register.raw()} ${Register.static()} ${Register.add("x")}")
    }
}
